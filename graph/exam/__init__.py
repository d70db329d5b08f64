"""The exam: utterances with what they say and leave unsaid, read exactly as the desk reads them, and marked."""

from graph.exam.cases import Case, read_cases
from graph.exam.marks import Figures, Mark, Report
from graph.exam.sitting import Candidate, sit

__all__ = ["Candidate", "Case", "Figures", "Mark", "Report", "read_cases", "sit"]
