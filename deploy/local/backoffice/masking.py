"""Account numbers on the page: the last four digits are enough to tell two apart."""

_LONG_ENOUGH = 8


def masked(account: str) -> str:
    """`•••• 1234` for an account given in free text; no digits where there are too few to hide any."""
    digits = [character for character in account if character.isdigit()]
    if len(digits) < _LONG_ENOUGH:
        return "••••"
    return "•••• " + "".join(digits[-4:])
