"""probe"""
import pytest
from tests.unit.graph.builders import *
from deploy.local.backoffice import Fault
from graph.errors import ThreadBusy

async def test_t1(desk):
    o = await desk.say(T1)
    print(waits(o), plain(o))
    o = await desk.say(ACCOUNT)
    print(waits(o), plain(o))
    o = await desk.decide(o)
    print(view(o).status, await desk.payouts())
    print(await desk.checkpoint_keys())

async def test_correct_order(desk):
    o = await desk.say(T4)
    print(waits(o))
    o = await desk.advance(desk.event("correct", values={"order_id": "KL-901"}))
    print(view(o).status, plain(o), desk.called())

class Boom(Exception): pass

async def test_crash_start(desk):
    j = desk.engine.door.journal
    orig = j.once
    async def bad(*a): raise Boom
    j.once = bad
    e = desk.event("message", text=T6)
    with pytest.raises(Boom):
        await desk.advance(e)
    j.once = orig
    o = await desk.advance(e)
    print(view(o).status, await desk.payouts())

async def test_crash_resume(desk):
    o = await desk.say(T4)
    j = desk.engine.door.journal
    orig = j.once
    async def bad(*a): raise Boom
    j.once = bad
    e = desk.decision(o)
    with pytest.raises(Boom):
        await desk.advance(e)
    j.once = orig
    o = await desk.advance(e)
    print(view(o).status, len(await desk.payouts()))
