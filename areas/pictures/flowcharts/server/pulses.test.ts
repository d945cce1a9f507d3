import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { serverActor } from '../../../../server/identity/actor.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { openPulses, type Pulses } from './pulses.ts'

let plant: Plant
const opened: Pulses[] = []
/** A process that completes pulses. */
const process = () => {
  const { database } = plant.kit
  const { write, writeOnce } = plant.gateways
  const pulses = openPulses({ database, write, writeOnce, clock: () => plant.clock.now, log: { warn: () => undefined }, pollMs: 3_600_000 })
  opened.push(pulses)
  return pulses
}
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(async () => {
  for (const pulses of opened) await pulses.stop()
  await plant.close()
})

/** A gateway with a point that answers writes with `codes` in order, then with 0; records the values that it accepted. */
const machine = async (...codes: (number | undefined)[]) => {
  const g = await plant.equip(1, { ReadWriteType: 1 })
  const took: number[] = []
  const ids: string[] = []
  const { client } = await plant.connect(g, (_kind, message) => {
    const { Value } = message.Data as { Value: number }
    ids.push((message as unknown as { MsgId: string }).MsgId)
    const Code = codes.length ? codes.shift() : 0
    if (Code === undefined) return undefined as never
    if (Code === 0) took.push(Value)
    return { Code, Msg: '' }
  })
  const actor = serverActor(plant.kit.enterprises.ours)
  const pulse = (pulses: Pulses) =>
    pulses.pulse(plant.kit.database.system, actor, g.points[0]!, { value: 1, rest: 0, ms: 20 }, { Picture: 'P' })
  const left = () => plant.kit.db.rows(sql`select "Rest" from picture_pulse where "ParaId" = ${g.points[0]}`)
  return { ...g, client, took, ids, pulse, left }
}

it('a pulse is written, ends, and leaves nothing to do; the history names its picture twice', async () => {
  const m = await machine()
  expect(await m.pulse(process())).toMatchObject({ Code: 0 })
  expect([m.took, await m.left()]).toEqual([[1, 0], []])
  expect((await plant.history(m.Id)).map(({ Payload }) => Payload)).toMatchObject([
    { Picture: 'P', Value: 1 },
    { Picture: 'P', Value: 0 },
  ])
})

it('one whose server ends in the middle ends with the next server, once', async () => {
  const m = await machine(0, undefined)
  // The second write reaches the gateway, but the process ends before the answer.
  m.pulse(process()).catch(() => undefined)
  await vi.waitFor(() => expect(m.ids).toHaveLength(2))
  plant.clock.now += 60_000
  await process().settle()
  expect([m.took, await m.left()]).toEqual([[1, 0], []])
  expect(m.ids[2]).toBe(m.ids[1])
})

it('one that the gateway refuses to end is tried again under a new message id', async () => {
  const m = await machine(0, 201)
  const pulses = process()
  expect(await m.pulse(pulses)).toMatchObject({ Code: 201 })
  expect(await m.left()).toHaveLength(1)
  plant.clock.now += 60_000
  await pulses.settle()
  expect([m.took, await m.left(), new Set(m.ids).size]).toEqual([[1, 0], [], 3])
})

it('one that the gateway refused to begin is over, and one that somebody has written over stands', async () => {
  const refused = await machine(201)
  expect(await refused.pulse(process())).toMatchObject({ Code: 201 })
  expect([refused.took, await refused.left()]).toEqual([[], []])

  const m = await machine(0, 201)
  await m.pulse(process())
  plant.clock.now += 1000
  await plant.kit.data('owner', 'POST', '/Project/DevPara/Write', { ParaId: m.points[0], Value: 5 })
  plant.clock.now += 60_000
  await process().settle()
  expect([m.took, await m.left()]).toEqual([[1, 5], []])
})
