// Rules over all devices of a model: who is meant, while devices are given the model and lose it.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { type Area, above, at, base, configure, openJournal, startArea } from './harness.ts'

let area: Area
/** Points with the same name on devices of one gateway, and on a device of another project. */
let [first, second, plain, elsewhere] = [0, 0, 0, 0]
let [model, project, gateway] = [0, 0, 0]
const free = { AlarmLow: null, AlarmHigh: null, ParaName: 'Pressure' }
const post = async (path: string, body: object, as = 'owner') => (await area.kit.data<{ Id: number }>(as, 'POST', path, body)).Id
const deviceOf = (point: number) => area.registry.get(point)!.DeviceId
const give = (point: number, ModelId: number | null) => area.kit.data('owner', 'PUT', '/Project/Device', { Id: deviceOf(point), ModelId })
/** The registry reads a change a moment after its message. */
const known = (point: number, to: number | null) =>
  vi.waitFor(() => expect(area.registry.device(deviceOf(point))!.ModelId).toBe(to)).then(() => area.registry.settled())

beforeAll(async () => {
  area = await startArea()
  model = await post('/ProModel/ProModel', { ModelName: 'P-100' })
  first = await area.makePoint(free)
  ;({ GatewayId: gateway, ProjectId: project } = area.registry.get(first)!)
  const beside = async (DeviceName: string) =>
    area.makePoint({ ...free, DeviceId: await post('/Project/Device', { DeviceName, GatewayId: gateway }) })
  second = await beside('Second')
  plain = await beside('Plain')
  elsewhere = await area.makePoint(free)
  for (const point of [first, second, elsewhere]) {
    await give(point, model)
    await known(point, model)
  }
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

const ofModel = (more: object = {}) => ({ AlarmParams: [{ ParaName: 'Pressure' }], DeviceSelection: { Type: 2, ModelId: model, ...more } })
const make = (RuleConfigure: object, more: object = {}) =>
  area.kit.call<{ Id: number; RuleConfigure: RuleConfigure }>('owner', 'POST', '/Alarm/AlarmRule', {
    ...{ RuleName: 'High pressure', Status: 1, ProjectId: project, RuleConfigure },
    ...more,
  })
const active = async (...points: number[]) =>
  Promise.all(points.map(async (p) => (await area.alarmsOf(p)).filter((a) => a.IsActive).length))

it('each device of the model in the rule’s project has its own alarm, and no other device', async () => {
  const journal = openJournal()
  const { alarms } = area.start(journal)
  const { Data } = await make(configure([above(0, ofModel())]))
  expect(Data!.RuleConfigure.RuleList[0]!.Conditions[0]!.DeviceSelection).toEqual({ Type: 2, ModelId: model, ProjectId: project })
  await alarms.idle()
  journal.write(...[first, second, plain, elsewhere].map((p) => at(p, 0, 11)))
  await alarms.idle()
  expect(await active(first, second, plain, elsewhere)).toEqual([1, 1, 0, 0])
})

it('a device that is given the model is judged from then on, and one that loses it has no alarm from then on, without a restart', async () => {
  const journal = openJournal()
  const { alarms } = area.start(journal)
  await make(configure([above(0, ofModel())]))
  await alarms.idle()
  journal.write(at(first, 0, 11), at(plain, 0, 11))
  await alarms.idle()
  expect(await active(first, plain)).toEqual([1, 0])
  const turn = async (point: number, to: number | null) => {
    await give(point, to)
    await known(point, to)
    await alarms.idle()
  }
  await turn(plain, model)
  expect(await active(first, plain)).toEqual([1, 1])
  await turn(plain, null)
  expect(await active(first, plain)).toEqual([1, 0])
  journal.write(at(plain, 5, 50))
  await alarms.idle()
  expect(await active(first, plain)).toEqual([1, 0])
  const other = await post('/ProModel/ProModel', { ModelName: 'P-200' })
  await turn(first, other)
  expect(await active(first, plain)).toEqual([0, 0])
  await turn(first, model)
  expect(await active(first, plain)).toEqual([1, 0])
})

it('several conditions mean the devices that all of them select', async () => {
  const journal = openJournal()
  const { alarms } = area.start(journal)
  const chosen = { ...ofModel(), DeviceSelection: { Type: 1, DeviceIds: [second, plain].map(deviceOf) } }
  await make(configure([above(0, ofModel()), above(0, { ...chosen, ParamValue: 5 })]))
  await alarms.idle()
  journal.write(...[first, second, plain].map((p) => at(p, 0, 11)))
  await alarms.idle()
  expect(await active(first, second, plain)).toEqual([0, 1, 0])
})

it('a try finds what the running engine raises', async () => {
  const journal = openJournal()
  area.setClock(base - 1000)
  const { alarms } = area.start(journal, {}, true)
  const RuleConfigure = configure([above(0, { ...ofModel({ ProjectId: project }), Deadband: 2 })])
  await make(RuleConfigure)
  await alarms.idle()
  for (let i = 0; i < 120; i++) {
    area.setClock(base + i * 1000)
    const value = (shift: number) => Math.round(10 + 6 * Math.sin(i / 9 + shift))
    journal.write(at(first, i, value(0)), at(second, i, value(2)), at(plain, i, value(1)), at(elsewhere, i, value(3)))
    await alarms.idle()
  }
  const live = (await Promise.all([first, second, plain, elsewhere].map(area.alarmsOf)))
    .flat()
    .map((a) => [a.ParaId, a.StartTime.getTime(), a.RecoverTime?.getTime() ?? null])
  type Tried = { Alarms: { ParaId: number; Start: number; End: number | null }[] }
  const tried = await area.kit.data<Tried>('owner', 'POST', '/Alarm/AlarmRule/Try', { RuleConfigure, Days: 1 })
  const sorted = (rows: unknown[][]) => rows.map((r) => JSON.stringify(r)).toSorted()
  expect(live.length).toBeGreaterThan(3)
  expect(new Set(live.map(([point]) => point))).toEqual(new Set([first, second]))
  expect(sorted(tried.Alarms.map((a) => [a.ParaId, a.Start, a.End]))).toEqual(sorted(live))
})

it('a model that is not there or is another tenant’s, and a point that its devices do not have, are named', async () => {
  const foreign = await post('/ProModel/ProModel', { ModelName: 'P-100' }, 'stranger')
  const unused = await post('/ProModel/ProModel', { ModelName: 'P-300' })
  const inFirst = 'RuleConfigure.RuleList.0.Conditions.0'
  const refused = async (selection: object, more: object = {}) => {
    const condition = { ...ofModel(selection), ...more }
    const { Details } = await make(configure([above(0, condition)]))
    const given = {
      RuleConfigure: configure([above(0, { ...condition, DeviceSelection: { ProjectId: project, ...condition.DeviceSelection } })]),
    }
    type CheckAnswer = { Errors: { Path: string }[] }
    const { Errors } = await area.kit.data<CheckAnswer>('owner', 'POST', '/Alarm/AlarmRule/ConditionValidation', given)
    const fields = Object.keys(Details!.Fields!)
    expect(Errors.map((e) => `RuleConfigure.${e.Path}`)).toEqual(expect.arrayContaining(fields))
    return fields.map((field) => field.slice(inFirst.length + 1))
  }
  for (const ModelId of [foreign, 999_999_999]) expect(await refused({ ModelId })).toContain('DeviceSelection.ModelId')
  expect(await refused({ ModelId: unused })).toEqual(['AlarmParams.0.ParaName'])
  expect(await refused({}, { AlarmParams: [{ ParaName: 'Nothing' }] })).toEqual(['AlarmParams.0.ParaName'])
  expect(await refused({ DeviceIds: [deviceOf(first)] })).toContain('DeviceSelection.DeviceIds')
  // Of a rule that belongs to a project.
  const { Details } = await make(configure([above(0, ofModel({ ProjectId: area.registry.get(elsewhere)!.ProjectId }))]))
  expect(Object.keys(Details!.Fields!)).toContain(`${inFirst}.DeviceSelection.ProjectId`)
})

it('a model that a rule means stays, and the answer names the rule', async () => {
  const Id = await post('/ProModel/ProModel', { ModelName: 'P-400' })
  await give(plain, Id)
  const rule = (await make(configure([above(0, { ...ofModel(), DeviceSelection: { Type: 2, ModelId: Id } })]))).Data!
  await give(plain, null)
  const remove = () => area.kit.call('owner', 'DELETE', '/ProModel/ProModel', { Ids: [Id] })
  expect(await remove()).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'inUse', UsedBy: [{ Resource: 'alarmRule', Id: rule.Id, Title: 'High pressure' }] },
  })
  await area.kit.data('owner', 'DELETE', '/Alarm/AlarmRule', { Ids: [rule.Id] })
  expect(await remove()).toMatchObject({ Data: { Removed: 1 } })
})

it('models are offered with the devices of each project, and only one’s own', async () => {
  type Offered = { Id: number; ProjectId: number | null; Devices: number }[]
  const offered = async (as: string, query = '') =>
    (await area.kit.data<Offered>(as, 'GET', `/Alarm/AlarmRule/ModelList${query}`)).flatMap((m) =>
      m.Id === model ? [[m.ProjectId, m.Devices]] : [],
    )
  const other = area.registry.get(elsewhere)!.ProjectId
  expect(new Map((await offered('owner')) as [number, number][])).toEqual(
    new Map([
      [project, 2],
      [other, 1],
    ]),
  )
  expect(await offered('owner', `?ProjectId=${other}`)).toEqual([[other, 1]])
  expect(await offered('stranger')).toEqual([])
  expect(await area.kit.call('stranger', 'GET', `/Alarm/AlarmRule/ModelList?ProjectId=${project}`)).toMatchObject({ StatusCode: 404 })
})
