import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { until } from '../../../../tests/house.ts'
import { projectTask, projectTaskRow, taskKind } from '../../../configuration/tasks/contract.ts'
import { taskRoutes } from '../../../configuration/tasks/server/routes.ts'
import { startTaskRunner } from '../../../configuration/tasks/server/service.ts'
import { randomOf } from '../../analytics/server/learn/random.ts'
import { startWorks } from '../../consumption/server/consumption.fixture.ts'
import type { Model, Predicted } from '../contract.ts'
import { predictiveRoutes } from './routes.ts'
import { trainKind } from './training.ts'

const hour = 3_600_000
const from = Date.parse('2026-06-01T00:00:00Z')
const hours = 8 * 168
const to = from + hours * hour
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
let runner: ReturnType<typeof startTaskRunner> | undefined
const ids: Record<string, number> = {}
const random = randomOf(3)
const noise = Float64Array.from({ length: hours }, () => random() + random() - 1)
/** A shop in Madrid: 30 more by day than at night, 40 less on days off, and some noise. */
const load = (i: number) => {
  const wall = new Date(from + (i + 2) * hour)
  const isOff = [0, 6].includes(wall.getUTCDay())
  return 100 + 30 * Math.sin((2 * Math.PI * (wall.getUTCHours() - 6)) / 24) - (isOff ? 40 : 0) + 10 * noise[i]!
}

const failures: unknown[] = []
const startRunner = () => {
  const { database, sessions } = kit
  runner = startTaskRunner({
    ...{ database, sessions, of: { task: projectTask, row: projectTaskRow }, isOwner: () => true, clock: () => to + 60_000 },
    kinds: { [taskKind.train]: trainKind({ telemetry: works.telemetry, clock: () => to + 60_000 }) },
    log: {
      warn: (of: { err?: Error }) => failures.push(of.err),
    } as never,
  })
}
const stopRunner = async () => {
  await runner?.stop()
  runner = undefined
}
const train = (body: object, as = 'owner') => kit.call<{ ModelId: number; TaskId: number }>(as, 'POST', '/endpoints/train', body)
const models = (query = '', as = 'owner') => kit.data<Model[]>(as, 'GET', `/endpoints/models${query}`)
const find = async (id: number) => (await models()).find(({ ModelId }) => ModelId === id)
const Range = { Start: from, End: to }
/** Trains, and waits for the end. */
const trained = async (body: object) => {
  const { Data } = await train({ Range, ...body })
  const model = await until('the end of the training', async () => {
    const found = await find(Data!.ModelId)
    return found && found.Status !== 0 ? found : undefined
  })
  return model
}

beforeAll(async () => {
  works = await startWorks(() => to + 60_000, [predictiveRoutes, taskRoutes])
  kit = works.kit
  const { ours } = kit.enterprises
  const circuit = async (EnergyCode: string) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', {
        EnergyName: EnergyCode,
        EnergyCode,
        ProjectId: works.ProjectId,
        Source: 2,
      })
    ).Id
  ids.site = await circuit('E1')
  ids.still = await circuit('E2')
  ids.wild = await circuit('E3')
  const rows = Array.from({ length: hours }, (_, i) => [
    { id: ids.site!, at: from + i * hour, value: load(i) },
    { id: ids.still!, at: from + i * hour, value: 3 },
    // The same each week, so that last week is the best there is.
    { id: ids.wild!, at: from + i * hour, value: 50 + 40 * Math.sin((i % 168) ** 2) },
  ]).flat()
  await kit.db.rows(sql`
    insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
    select ${ours}, r.id, to_timestamp(r.at / 1000.0), 1, r.value from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (id bigint, at float8, value numeric)`)
  const { DeviceId } = works
  const point = async () => (await works.make.create(named('point'), { DeviceId, UploadMode: 3, UploadPeriod: 300 })).Id
  const last = { from: to - 240 * hour, to }
  const at = (time: number) => Math.floor((time - last.from) / hour)
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    ids[name] = await point()
    // Phase B takes 10 % more in the last two hours.
    await works.follow(ids[name]!, last, (time) => 10 + 0.05 * ((at(time) + i) % 3) + (name === 'b' && time >= to - 2 * hour ? 1 : 0))
  }
  ids.winding = await point()
  await works.follow(ids.winding, last, (time) => 80 + (at(time) % 5))
  await kit.person('narrow', ours, { menus: permissions, projects: [] })
  startRunner()
})
beforeEach(() => {
  if (!runner) startRunner()
})
afterAll(async () => {
  expect(failures).toEqual([])
  await stopRunner()
  await works?.close()
})

it('a power forecast is trained as a task, beats both naive forecasts, is published, and foretells the next day within its band', async () => {
  const model = (await trained({ Type: 1, Name: 'Site', EnergyInfoId: ids.site }))!
  expect(model).toMatchObject({
    Name: 'Site',
    Type: 1,
    Status: 1,
    EnergyInfoId: ids.site,
    Unit: 'kWh',
    Start: from,
    End: to,
    Seed: 1,
    TrainedBy: 'owner',
  })
  const { Mae, NaiveDay, NaiveWeek } = model.Metrics as { Mae: number; NaiveDay: number; NaiveWeek: number }
  expect(Mae).toBeLessThan(Math.min(NaiveDay, NaiveWeek))
  expect(await kit.data('owner', 'POST', '/endpoints/publish', { ModelId: model.ModelId })).toEqual({ Changed: 1 })
  expect((await find(model.ModelId))!.Status).toBe(2)
  const said = await kit.data<Predicted[]>('viewer', 'POST', '/endpoints/predict', { ModelId: model.ModelId, Horizon: 24, Past: 48 })
  expect(said).toHaveLength(72)
  expect(said.map(({ Time }) => Time)).toEqual(Array.from({ length: 72 }, (_, i) => to + (i - 48) * hour))
  const past = said.slice(0, 48)
  for (const [i, { Actual }] of past.entries()) expect(Actual).toBeCloseTo(load(hours - 48 + i), 2)
  expect(past.filter(({ Actual, Low, High }) => Actual! >= Low! && Actual! <= High!).length).toBeGreaterThan(36)
  // Without its noise, which cannot be predicted.
  for (const [i, { Value, Low, High, Actual }] of said.slice(48).entries()) {
    expect(Actual).toBeUndefined()
    expect(Math.abs(Value! - (load(hours - 168 + i) - 10 * noise[hours - 168 + i]!))).toBeLessThan(12)
    expect(Low!).toBeLessThan(Value!)
    expect(High!).toBeGreaterThan(Value!)
  }
})

it('publishing a second forecast of a circuit withdraws the first', async () => {
  const first = (await trained({ Type: 1, Name: 'First', EnergyInfoId: ids.site }))!
  const second = (await trained({ Type: 1, Name: 'Second', EnergyInfoId: ids.site }))!
  for (const { ModelId } of [first, second]) await kit.data('owner', 'POST', '/endpoints/publish', { ModelId })
  expect((await models(`?Type=1&EnergyInfoId=${ids.site}`)).filter(({ Status }) => Status === 2).map(({ ModelId }) => ModelId)).toEqual([
    second.ModelId,
  ])
})

it('a forecast that is worse than last week is not published', async () => {
  const model = (await trained({ Type: 1, Name: 'Weekly', EnergyInfoId: ids.wild }))!
  expect((model.Metrics as { NaiveWeek: number }).NaiveWeek).toBe(0)
  expect(await kit.call('owner', 'POST', '/endpoints/publish', { ModelId: model.ModelId })).toMatchObject({
    ...{ StatusCode: 400, Details: { Fields: { ModelId: [expect.stringContaining('no better')] } } },
  })
})

it('the health of a motor names the rule that fired, what was measured and the limit', async () => {
  const Points = [
    ...(['a', 'b', 'c'] as const).map((phase) => ({ ParaId: ids[phase], Role: `current${phase.toUpperCase()}` })),
    { ParaId: ids.winding, Role: 'temperature' },
  ]
  const model = (await trained({
    ...{ Type: 3, Name: 'Pump 1', Range: { Start: to - 240 * hour, End: to - 24 * hour } },
    Params: { Points, Insulation: 'F', Limits: { unbalance: { Watch: 3, Alarm: 5 } } },
  }))!
  expect(model).toMatchObject({
    Status: 1,
    Metrics: { Watch: 0, Alarm: 0 },
    Limits: { unbalance: { Watch: 3 }, temperature: { Watch: 135, Alarm: 155 } },
  })
  const said = await kit.data<Predicted[]>('owner', 'POST', '/endpoints/predict', { ModelId: model.ModelId, Horizon: 6 })
  expect(said.map(({ Value }) => Value)).toEqual([100, 100, 100, 100, expect.any(Number), expect.any(Number)])
  const last = said.at(-1)!
  expect(last.Value).toBeLessThan(100)
  expect(last.Fired!.find(({ Rule }) => Rule === 'unbalance')).toMatchObject({ ParaId: null, Limit: 5, IsAlarm: 1 })
  expect(last.Fired!.find(({ Rule }) => Rule === 'deviation')).toMatchObject({ ParaId: ids.b, IsAlarm: 1 })
})

it('a company trains one model at a time; a stopped one says so, and what fails says why', async () => {
  await stopRunner()
  const first = (await train({ Type: 1, Name: 'One', EnergyInfoId: ids.site, Range })).Data!
  expect(await train({ Type: 1, Name: 'Two', EnergyInfoId: ids.site, Range })).toMatchObject({ StatusCode: 409 })
  expect((await find(first.ModelId))!.Status).toBe(0)
  expect(await kit.data('owner', 'POST', '/endpoints/stop', { ModelId: first.ModelId })).toEqual({ Changed: 1 })
  expect((await find(first.ModelId))!.Status).toBe(3)
  expect(await kit.call('owner', 'POST', '/endpoints/publish', { ModelId: first.ModelId })).toMatchObject({ StatusCode: 400 })
  expect(await kit.call('owner', 'POST', '/endpoints/predict', { ModelId: first.ModelId, Horizon: 1 })).toMatchObject({ StatusCode: 400 })
  startRunner()
  const still = (await trained({ Type: 1, Name: 'Still', EnergyInfoId: ids.still }))!
  expect(still).toMatchObject({ Status: 3, Metrics: null, Reason: expect.stringContaining('same') })
  const short = (await trained({ Type: 1, Name: 'Short', EnergyInfoId: ids.site, Range: { Start: to - 72 * hour, End: to } }))!
  expect(short).toMatchObject({ Status: 3, Reason: expect.stringContaining('672') })
  expect(await kit.data('owner', 'DELETE', '/endpoints/models', { ModelId: still.ModelId })).toEqual({ Removed: 1 })
  expect(await find(still.ModelId)).toBeUndefined()
})

it.each([
  ['no circuit', { Type: 1 }, 'EnergyInfoId'],
  ['a circuit for a motor', { Type: 3, EnergyInfoId: 1, Params: { Points: [{ ParaId: 1, Role: 'load' }] } }, 'EnergyInfoId'],
  ['a motor without points', { Type: 3 }, 'Params.Points'],
  [
    'two points for a forecast',
    {
      Type: 4,
      Params: {
        Points: [
          { ParaId: 1, Role: 'other' },
          { ParaId: 2, Role: 'other' },
        ],
      },
    },
    'Params.Points',
  ],
  [
    'a point twice',
    {
      Type: 2,
      Params: {
        Points: [
          { ParaId: 1, Role: 'other' },
          { ParaId: 1, Role: 'load' },
        ],
      },
    },
    'Params.Points',
  ],
  [
    'a phase twice',
    {
      Type: 3,
      Params: {
        Points: [
          { ParaId: 1, Role: 'currentA' },
          { ParaId: 2, Role: 'currentA' },
        ],
      },
    },
    'Params.Points',
  ],
  ['a range of a hundred years', { Type: 1, EnergyInfoId: 1, Range: { Start: 0, End: 876_600 * hour } }, 'Range.End'],
  ['a range that ends before it begins', { Type: 1, EnergyInfoId: 1, Range: { Start: to, End: from } }, 'Range.End'],
  [
    'an alarm below its watch',
    { Type: 3, Params: { Points: [{ ParaId: 1, Role: 'load' }], Limits: { load: { Watch: 9, Alarm: 1 } } } },
    'Params.Limits.load',
  ],
])('training refuses %s by its field', async (_, body, field) => {
  const { StatusCode, Details } = await train({ Name: 'Bad', Range, ...body })
  expect(StatusCode).toBe(400)
  expect(Object.keys(Details?.Fields ?? {})).toEqual([field])
})
it('unknown roles, more limits and names of prototypes are refused, and nothing is stored', async () => {
  const before = (await models()).length
  for (const Params of [
    { Points: [{ ParaId: 1, Role: '__proto__' }] },
    { Limits: { __proto__x: { Watch: 1, Alarm: 2 } } },
    { Group: 'constructor' },
  ])
    expect((await train({ Type: 3, Name: 'Bad', Range, Params })).StatusCode).toBe(400)
  expect((await train({ Type: 1, Name: '  ', Range, EnergyInfoId: ids.site })).StatusCode).toBe(400)
  expect((await models()).length).toBe(before)
})

it('who does not see the circuit finds no model, and trains, predicts, publishes, stops and removes none', async () => {
  const [model] = await models(`?EnergyInfoId=${ids.site}`)
  const ModelId = model!.ModelId
  expect(await models('', 'narrow')).toEqual([])
  expect(await models('', 'stranger')).toEqual([])
  for (const as of ['narrow', 'stranger']) {
    for (const [method, path, body] of [
      ['POST', '/endpoints/predict', { ModelId, Horizon: 1 }],
      ['POST', '/endpoints/publish', { ModelId }],
      ['POST', '/endpoints/stop', { ModelId }],
      ['DELETE', '/endpoints/models', { ModelId }],
      ['POST', '/endpoints/train', { Type: 1, Name: 'Theirs', EnergyInfoId: ids.site, Range }],
      ['POST', '/endpoints/train', { Type: 4, Name: 'Theirs', Range, Params: { Points: [{ ParaId: ids.a, Role: 'other' }] } }],
    ] as const)
      expect((await kit.call(as, method, path, body)).StatusCode).toBe(404)
  }
  expect((await train({ Type: 1, Name: 'Viewer', EnergyInfoId: ids.site, Range }, 'viewer')).StatusCode).toBe(403)
})
