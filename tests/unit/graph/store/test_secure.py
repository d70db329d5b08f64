"""Redis with a password, over an encrypted line."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured
from graph.store.checkpoint import Checkpoints
from graph.store.connect import connect, require_modules

PASSWORD = "p@ss/word"


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    """The port of a Redis that wants a password, behind an end of TLS; its certificate is in `cert.pem`."""
    certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    async with RedisServer(tmp_path / "redis") as server:
        behind = int(server.url.rpartition(":")[2].partition("/")[0])
        async with Redis.from_url(server.url) as client:
            await client.config_set("requirepass", PASSWORD)

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection("127.0.0.1", behind)
            await asyncio.gather(pass_on(reader, back), pass_on(there, writer))

        front = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
        yield front.sockets[0].getsockname()[1]
        front.close()
        async with Redis(port=behind, password=PASSWORD) as client:
            await client.config_set("requirepass", "")


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass bytes on until either end is closed."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def test_an_encrypted_line_with_a_password(port: int, tmp_path: Path) -> None:
    """Both clients reach such a server by its URL; percent signs in the password are decoded."""
    url = f"rediss://:p%40ss%2Fword@127.0.0.1:{port}/0?ssl_ca_certs={tmp_path / 'cert.pem'}"
    client, saver = connect(url), Checkpoints(url, "secure")
    await require_modules(client)
    await client.set("key", "值")
    assert await client.get("key") == "值"
    await saver.prepare()
    assert await saver.aget_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}) is None
    await saver.close()
    await client.aclose(close_connection_pool=True)


@pytest.mark.parametrize(
    ("access", "query", "said"),
    [
        ("rediss://:wrong@", "?ssl_ca_certs={cert}", "refuses the user or password"),
        ("rediss://", "?ssl_ca_certs={cert}", "refuses the user or password"),
        ("rediss://:p%40ss%2Fword@", "", "does not answer"),
    ],
    ids=["wrong password", "no password", "unknown certificate"],
)
async def test_what_is_refused_is_said(port: int, tmp_path: Path, access: str, query: str, said: str) -> None:
    """A wrong password, none, and a certificate that nobody vouches for are told apart; no password is shown."""
    client = connect(f"{access}127.0.0.1:{port}/0{query.format(cert=tmp_path / 'cert.pem')}")
    with pytest.raises(Misconfigured, match=said) as told:
        await require_modules(client)
    assert "wrong" not in str(told.value)
    assert "p@ss" not in str(told.value)
    await client.aclose(close_connection_pool=True)


def certificate(directory: Path) -> None:
    """A certificate of 127.0.0.1 for an hour, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (directory / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (directory / "key.pem").write_bytes(secret)
