import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { startWorks } from '../../consumption/server/consumption.fixture.ts'
import { modelCalls } from '../../predictive-models/contract.ts'
import { predictiveRoutes } from '../../predictive-models/server/routes.ts'
import { analyticsCalls } from '../contract.ts'
import { analyticsRoutes } from './routes.ts'

const hour = 3_600_000
const from = Date.parse('2026-06-01T00:00:00Z')
const hours = 240
const to = from + hours * hour
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}

/** Production varies with a period of 17 hours, temperature with 24. The site uses 100 plus twice the production. */
const made = (i: number) => (i * 7) % 17
const warmth = (i: number) => (i * 5) % 24
const site = (i: number) => 100 + 2 * made(i)

beforeAll(async () => {
  works = await startWorks(() => to + hour, [analyticsRoutes, predictiveRoutes])
  kit = works.kit
  const { ours } = kit.enterprises
  const circuit = async (EnergyCode: string, more: object = {}) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', {
        ...{ EnergyName: EnergyCode, EnergyCode, ProjectId: works.ProjectId, Source: 2, ...more },
      })
    ).Id
  ids.site = await circuit('E1')
  ids.made = await circuit('W1', { EnergyType: 2 })
  ids.still = await circuit('E2')
  const rows = Array.from({ length: hours }, (_, i) => [
    { id: ids.site!, at: from + i * hour, value: site(i) },
    { id: ids.made!, at: from + i * hour, value: made(i) },
    { id: ids.still!, at: from + i * hour, value: 3 },
  ]).flat()
  await kit.db.rows(sql`
    insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
    select ${ours}, r.id, to_timestamp(r.at / 1000.0), 1, r.value from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (id bigint, at float8, value numeric)`)
  const { DeviceId } = works
  const slow = { UploadMode: 3, UploadPeriod: 300 }
  ids.warm = (await works.make.create(named('point'), { DeviceId, ...slow })).Id
  ids.door = (await works.make.create(named('point'), { DeviceId, ...slow, ParaDataType: 0 })).Id
  const at = (time: number) => Math.floor((time - from) / hour)
  await works.follow(ids.warm, { from, to }, (time) => warmth(at(time)))
  // The door is open in each hour in which much is produced.
  await works.follow(ids.door, { from, to }, (time) => Number(made(at(time)) > 12))
  const long = Array.from({ length: hours }, (_, i) => i).filter((i) => made(i) > 12)
  await kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "ProjectId", "DeviceId", "ParaId", "StartTime", "RecoverTime", "IsActive")
    select ${ours}, 'A' || r.at, 'Door open', ${works.ProjectId}, ${DeviceId}, ${ids.door}, to_timestamp(r.at / 1000.0 + 60), to_timestamp(r.at / 1000.0 + 1800), 0
    from jsonb_to_recordset(${JSON.stringify(long.map((i) => ({ at: from + i * hour })))}::jsonb) r (at float8)`)
  await kit.person('noAlarms', ours, { menus: permissions.filter((code) => !code.startsWith('m10201')) })
})
afterAll(() => works?.close())

const range = `Start=${from}&End=${to}`
type Calls = typeof analyticsCalls
const get = <K extends keyof Calls>(path: string, as = 'owner') => kit.data<Answer<Calls[K]>>(as, 'GET', path)
const refused = (path: string, as = 'owner') => kit.call(as, 'GET', path)

it('gives the hours of a circuit and of a point, and nothing of hours that are not over or not known', async () => {
  const amounts = await get<'specificPeriod'>(`/electricity/specific-period?EnergyInfoId=${ids.site}&Start=${from}&End=${to + 5 * hour}`)
  expect(amounts).toHaveLength(hours + 1)
  expect(amounts.slice(0, 3)).toEqual([0, 1, 2].map((i) => ({ Time: from + i * hour, Value: site(i) })))
  expect(amounts.at(-1)!.Value).toBeNull()
  const means = await get<'specificPeriod'>(`/electricity/specific-period?ParaId=${ids.warm}&${range}`)
  expect(means.slice(1, 4).map(({ Value }) => Value)).toEqual([1, 2, 3].map(warmth))
  const days = await get<'specificPeriod'>(`/electricity/specific-period?EnergyInfoId=${ids.made}&${range}&Step=day`)
  // Whole days of Madrid.
  expect(days).toHaveLength(9)
  expect(days[0]).toEqual({ Time: from + 22 * hour, Value: Array.from({ length: 24 }, (_, i) => made(22 + i)).reduce((a, b) => a + b, 0) })
})

it('counts each known hour once in a histogram', async () => {
  const found = await get<'histogram'>(`/electricity/histogram?EnergyInfoId=${ids.site}&${range}&Bins=8`)
  expect(found).toMatchObject({ Rows: hours, LeftOut: 0, Edges: expect.arrayContaining([100, 132]) })
  expect(found.Counts.reduce((a, b) => a + b, 0)).toBe(hours)
  const flat = await get<'histogram'>(`/electricity/histogram?EnergyInfoId=${ids.still}&${range}`)
  expect(flat).toMatchObject({ Edges: [3, 3], Counts: [hours], Std: 0 })
})

it('finds what explains a circuit, and where it is high', async () => {
  const asked = `TargetEnergyInfoId=${ids.site}&EnergyInfoIds=${ids.made}&ParaIds=${ids.warm}&${range}`
  const [first, second] = await get<'featureImportance'>(`/electricity/feature-importance?${asked}`)
  expect(first).toMatchObject({ Feature: `e${ids.made}` })
  expect(first!.Importance).toBeGreaterThan(0.95)
  expect(second!.Feature).toBe(`p${ids.warm}`)
  const tree = await get<'decisionTree'>(`/matrix/DecisionTree?${asked}&Threshold=117&MaxDepth=2`)
  // More than 117 is more than 8.5 produced.
  expect(tree.Tree).toMatchObject({ Feature: `e${ids.made}`, Threshold: 8, Left: { Value: 0 }, Right: { Value: 1 } })
  expect(tree).toMatchObject({ Accuracy: 1, LeftOut: expect.any(Number) })
  const trial = await get<'trainModel'>(`/matrix/Train_model?${asked}&Threshold=117`)
  expect(trial.Accuracy).toBe(1)
  expect(trial.Naive).toBeLessThan(0.7)
  expect(trial.Matrix.flat().reduce((a, b) => a + b, 0)).toBeGreaterThan(40)
})

it('a point of type Bool is a target without a threshold', async () => {
  const found = await get<'decisionTree'>(`/matrix/DecisionTree?TargetParaId=${ids.door}&EnergyInfoIds=${ids.made}&${range}`)
  expect(found.Tree).toMatchObject({ Feature: `e${ids.made}`, Threshold: 12 })
})

it('finds what happens together, alarms only for who may list them', async () => {
  const asked = `/apriori/Apriori?EnergyInfoIds=${ids.made},${ids.site}&ParaIds=${ids.door}&${range}&MinSupport=0.05&MinConfidence=0.9`
  const rules = await get<'apriori'>(asked)
  expect(rules).toContainEqual(expect.objectContaining({ If: [`p${ids.door}.alarm`], Then: [`p${ids.door}.on`], Confidence: 1 }))
  expect(rules).toContainEqual(expect.objectContaining({ If: [`e${ids.site}.high`], Then: [`e${ids.made}.high`], Confidence: 1 }))
  const without = await get<'apriori'>(asked, 'noAlarms')
  expect(without.length).toBeGreaterThan(0)
  expect(JSON.stringify(without)).not.toContain('alarm')
})

it('refuses what cannot be answered, by field', async () => {
  const asked = `TargetEnergyInfoId=${ids.site}&EnergyInfoIds=${ids.made}&${range}`
  const tree = '/matrix/DecisionTree'
  const many = Array.from({ length: 21 }, (_, i) => i + 1).join()
  const cases: [string, string][] = [
    [`${tree}?${asked}`, 'Threshold'],
    [`${tree}?${asked}&Threshold=5000`, 'TargetEnergyInfoId'],
    [`${tree}?TargetEnergyInfoId=${ids.still}&EnergyInfoIds=${ids.made}&${range}&Threshold=3`, 'TargetEnergyInfoId'],
    [`${tree}?TargetEnergyInfoId=${ids.site}&${range}&Threshold=3`, 'EnergyInfoIds'],
    [`${tree}?TargetEnergyInfoId=${ids.site}&EnergyInfoIds=${ids.site}&${range}&Threshold=3`, 'EnergyInfoIds'],
    [`${tree}?TargetEnergyInfoId=${ids.site}&EnergyInfoIds=${many}&${range}&Threshold=3`, 'EnergyInfoIds'],
    [`${tree}?EnergyInfoIds=${ids.made}&${range}&Threshold=3`, 'TargetEnergyInfoId'],
    [`${tree}?TargetEnergyInfoId=${ids.site}&EnergyInfoIds=${ids.made}&Start=${from}&End=${from + 10 * hour}&Threshold=110`, 'Start'],
    [`/electricity/histogram?EnergyInfoId=${ids.site}&Start=0&End=${to}`, 'End'],
    [`/electricity/histogram?EnergyInfoId=${ids.site}&Start=${to}&End=${from}`, 'End'],
    [`/electricity/histogram?${range}`, 'EnergyInfoId'],
    [`/electricity/histogram?EnergyInfoId=${ids.site}&Start=${to}&End=${to + hour}`, 'Start'],
  ]
  for (const [path, field] of cases)
    expect(await refused(path), path).toMatchObject({ StatusCode: 400, Details: { Fields: { [field]: [expect.any(String)] } } })
})

it('circuits and points of another company are not found', async () => {
  for (const path of [
    `/electricity/specific-period?EnergyInfoId=${ids.site}&${range}`,
    `/electricity/histogram?ParaId=${ids.warm}&${range}`,
    `/matrix/Train_model?TargetParaId=${ids.door}&EnergyInfoIds=${ids.made}&${range}`,
    `/apriori/Apriori?ParaIds=${ids.door}&${range}`,
  ])
    expect(await refused(path, 'stranger'), path).toMatchObject({ StatusCode: 404 })
})

it('analytics-base: all of its calls are below /api, as those of every area are', async () => {
  const paths = [...Object.values(analyticsCalls), ...Object.values(modelCalls)].map(({ method, path }) => [method, path] as const)
  expect(paths.map(([, path]) => path.split('/')[1])).toEqual(expect.arrayContaining(['electricity', 'matrix', 'apriori', 'endpoints']))
  for (const [method, path] of paths) {
    const { statusCode } = await kit.app.inject({ method, url: `/api${path}` })
    expect(statusCode, path).toBe(401)
  }
})
