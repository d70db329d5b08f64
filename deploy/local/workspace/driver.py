"""The workspace as one object: start it, act as its people, read what they see, wait for what happens."""

from collections.abc import Callable
from typing import TypeVar

from . import api_chat, api_conversations, api_misc, api_stream, files
from .api import WebApi
from .delivery import Delivery, Dispatcher, Kind, Receipt
from .errors import ActionRefused
from .events import Events
from .faults import Faults
from .forms import Forms
from .hooks import Hooks
from .http_mode import HttpMode, RequestUrls
from .model import Channel, Json, Message, View
from .pressing import Pressing
from .seed import Seed
from .server import Server
from .socket_mode import SocketMode
from .submitting import Submitting
from .talking import Talking
from .visible import Control, controls, visible_text
from .world import Trouble, World

T = TypeVar("T")


class Workspace(Talking, Pressing, Submitting):
    """A running workspace.

    `retry_after`: seconds before each redelivery of an event that was not acknowledged (Slack's are the default).
    `ack_timeout`: seconds the bot has to acknowledge. `patience`: seconds an event waits for a connection.
    """

    def __init__(
        self, seed: Seed | None = None, *, retry_after: tuple[float, ...] = (0.0, 60.0, 300.0),
        ack_timeout: float = 3.0, patience: float = 12 * 3600.0, ping_interval: float = 15.0,
    ) -> None:
        self.world = World((seed or Seed()).copy())
        self.faults = Faults()
        seed = self.world.seed
        self.sockets = SocketMode(seed.app_id, self.faults, ack_timeout, ping_interval)
        self.dispatcher = Dispatcher(
            self.sockets, self.faults, self.world.changed, retry_after, ack_timeout, patience
        )
        self.events = Events(self.world, self.dispatcher, self.faults)
        self.forms = Forms(self.world)
        methods = api_chat.METHODS | api_conversations.METHODS | api_misc.METHODS | api_stream.METHODS | files.METHODS
        self.api = WebApi(self.world, self.events, self.forms, self.sockets, self.faults, methods)
        self._hooks = Hooks(self.world, self.events, self.faults)
        self._server: Server | None = None
        self._ack_timeout = ack_timeout

    # -- life -----------------------------------------------------------------------------------------------------

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """Listen; port 0 takes a free one. `url` and `api_url` are known afterwards."""
        self._server = Server(self, self.api, self._hooks, self.sockets)
        self.world.base_url = await self._server.start(host, port)

    async def stop(self) -> None:
        """Close everything. Raises what crashed in the background."""
        try:
            await self.dispatcher.close()
        finally:
            await self.sockets.close()
            if self._server:
                await self._server.stop()

    @property
    def url(self) -> str:
        """The page's address, without a slash at the end."""
        return self.world.base_url

    @property
    def api_url(self) -> str:
        """What the bot needs as SLACK_API_URL."""
        return f"{self.world.base_url}/api/"

    async def use_http(self, urls: RequestUrls | str) -> None:
        """Deliver by signed HTTP requests from now on, after the url_verification handshake.

        One address serves all three kinds. BotUnreachable if the handshake fails.
        """
        targets = RequestUrls(urls, urls, urls) if isinstance(urls, str) else urls
        mode = HttpMode(targets, self.world.seed.signing_secret, self.faults, self._ack_timeout)
        try:
            await mode.verify(self.world.seed.verification_token)
        except BaseException:
            await mode.close()
            raise
        await self.dispatcher.transport.close()
        self.dispatcher.transport = mode

    async def offline(self) -> None:
        """Cut the network between bot and workspace: sockets die, calls fail. People can still act."""
        self.faults.offline = True
        await self.sockets.drop()

    async def online(self) -> None:
        """The network is back."""
        self.faults.offline = False

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask every Socket Mode client to reconnect."""
        await self.sockets.disconnect(reason)

    async def send_raw(self, kind: Kind, payload: Json, *, accepts_response: bool = False) -> Receipt:
        """Deliver a payload as it is, forged or not, once."""
        return await self.dispatcher.interact(kind, payload, accepts_response)

    async def send_event(self, event: Json) -> Delivery:
        """Deliver an inner event of one's own making in a proper outer one, with redelivery."""
        return self.dispatcher.event(self.events.envelope(event))

    # -- reading --------------------------------------------------------------------------------------------------

    def dm(self, user: str) -> Channel:
        """The direct message between a person and the bot."""
        return self.world.dm(user)

    def messages(self, channel: str, thread_ts: str | None = None) -> list[Message]:
        """The messages of a channel, replies included; or parent and replies of one thread."""
        if thread_ts is not None:
            return self.world.thread(channel, thread_ts)
        return list(self.world.messages.get(channel, ()))

    def message(self, channel: str, ts: str) -> Message:
        """One message; ActionRefused if it is not there."""
        found = self.world.message(channel, ts)
        if found is None:
            raise ActionRefused(f"there is no message {ts} in {channel}")
        return found

    def ephemerals(self, user: str, channel: str | None = None) -> list[Message]:
        """What was shown to this person only."""
        return [m for m in self.world.ephemerals if m.visible_to == user and channel in (None, m.channel)]

    def views(self, user: str) -> list[View]:
        """The person's open forms, the visible one last."""
        return self.world.open_views(user)

    def home(self, user: str) -> View | None:
        """The person's App Home, if the bot has published one."""
        return self.world.homes.get(user)

    def warnings(self, user: str) -> list[Trouble]:
        """What Slack told the person about clicks that the bot did not answer."""
        return [trouble for trouble in self.world.troubles if trouble.user == user]

    def text(self, item: Message | View, user: str | None = None) -> str:
        """All words of a message or view, as `user` reads them."""
        return visible_text(item, self.world, user)

    def buttons(self, item: Message | View) -> list[Control]:
        """The buttons of a message or view."""
        return [control for control in controls(item) if control.kind == "button"]

    def permalink(self, message: Message) -> str:
        """The address of a message."""
        return api_chat.permalink(self.url, message)

    @property
    def deliveries(self) -> list[Delivery]:
        """Everything that was sent to the bot, in order."""
        return self.dispatcher.log

    @property
    def calls(self) -> list[tuple[str, Json]]:
        """Every Web API call that was let through: method and arguments."""
        return self.api.calls

    # -- waiting --------------------------------------------------------------------------------------------------

    async def until(self, predicate: Callable[[], T], timeout: float = 5.0) -> T:
        """The first truthy result of `predicate`, tried at each change; TimeoutError tells the last messages."""
        return await self.world.until(predicate, timeout)

    async def connected(self, count: int = 1, timeout: float = 10.0) -> None:
        """Return when the bot has `count` sockets open."""
        await self.sockets.wait_for(count, timeout)

    async def settled(self, timeout: float = 5.0) -> None:
        """Return when every event is acknowledged or given up."""
        await self.dispatcher.settled(timeout)
