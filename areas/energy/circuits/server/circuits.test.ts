import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named } from '../../../../server/resource/sql.ts'
import { readStored } from './formulas.ts'
import { compileFormula, factorsOf, partsOf, sharesOf } from './service.ts'

type Circuit = { Id: number; EnergyCode: string; Formula: string | null; FormulaIds: number[]; ParaId: number | null; Multiplier: number }
type Checked = { Valid: boolean; Errors: string[]; Places: number[] }
const base = '/Energy/Info'

let kit: Kit
let make: ReturnType<typeof maker>
let project: number
let gateway: number
let device: number
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  project = (await make.create(named('project'))).Id
  gateway = (await make.create(named('gateway'), { ProjectId: project })).Id
  device = (await make.create(named('device'), { GatewayId: gateway })).Id
})
afterAll(() => kit?.close())

const call = <T = unknown>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, as = 'owner') =>
  kit.call<T>(as, method, path, body)
const add = (EnergyCode: string, more: object = {}) =>
  call<Circuit>('POST', base, { EnergyName: EnergyCode, EnergyCode, ProjectId: project, ...more })
const find = (Id: number, as = 'owner') => kit.data<Circuit & Record<string, unknown>>(as, 'GET', `${base}?Id=${Id}`)
const meter = async (CalDataType: number, more: object = {}, of = device) => {
  const point = await make.create(named('point'), { DeviceId: of, ParaUnitName: 'kWh', ...more })
  if (CalDataType)
    await kit.db.rows(
      sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType", "MaxReading") values (${point.Id}, ${kit.enterprises.ours}, ${CalDataType}, 99999)`,
    )
  return point.Id
}
const check = (Formula: string, more: object = {}) => kit.data<Checked>('owner', 'POST', `${base}/CheckFormula`, { Formula, ...more })
const actorOf = (as = 'owner') =>
  ({ ...(kit.people.get(as) as unknown as Actor), EnterpriseId: kit.enterprises.ours, projects: 'all', platform: false }) as Actor

it('a meter is a counting point of the project; another one begins a source, and a deleted one keeps its time', async () => {
  const [first, second] = [await meter(1), await meter(1)]
  const made = await add('M1', { ParaId: first, Multiplier: 40 })
  expect(made.Data).toMatchObject({ ParaId: first, DeviceId: device, Unit: 'kWh', IsCumulative: 1, MaxReading: 99_999 })
  const { Id } = made.Data
  expect(await call('PUT', base, { Id, ParaId: second, Multiplier: 20 })).toMatchObject({ Data: { ParaId: second, Multiplier: 20 } })
  const sources = await kit.data<{ Items: { Id: number; From: string; ParaId: number }[] }>(
    'owner',
    'GET',
    `${base}/Source/List?EnergyInfoId=${Id}`,
  )
  expect(sources.Items.map(({ ParaId }) => ParaId)).toEqual([second, first])
  expect(await call('DELETE', '/Project/DevPara', { Id: second })).toMatchObject({ Succeeded: true })
  expect(await find(Id)).toMatchObject({ ParaId: null })
  const rows = await kit.db.rows<{ From: Date; ParaId: number; Multiplier: number }>(
    sql`select "From", "ParaId", "Multiplier"::float8 as "Multiplier" from energy_source where "EnergyInfoId" = ${Id} order by energy_source."From"`,
  )
  expect(rows).toMatchObject([
    { From: new Date(Date.UTC(2000, 0, 1)), ParaId: first, Multiplier: 40 },
    { ParaId: second, Multiplier: 20 },
  ])
  const swap = (From: string) => call('POST', `${base}/Source`, { EnergyInfoId: Id, From, ParaId: first })
  expect(await swap('2020-01-01 00:00:00')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { From: [expect.stringContaining(sources.Items[0]!.From)] } },
  })
  expect(await swap('2099-01-01 00:00:00')).toMatchObject({ StatusCode: 400, Details: { Fields: { From: [expect.anything()] } } })
  expect(await call('PUT', `${base}/Source`, { Id: sources.Items[1]!.Id, EndReading: 1234.5 })).toMatchObject({ Succeeded: true })
  const idle = await meter(0)
  expect(await call('PUT', base, { Id, ParaId: idle })).toMatchObject({
    Details: { Fields: { ParaId: [expect.stringContaining('counts nothing')] } },
  })
  const elsewhere = (await make.create(named('project'))).Id
  const other = (await make.create(named('device'), { GatewayId: (await make.create(named('gateway'), { ProjectId: elsewhere })).Id })).Id
  expect(await call('PUT', base, { Id, ParaId: await meter(1, {}, other) })).toMatchObject({
    Details: { Fields: { ParaId: [expect.anything()] } },
  })
})

it('[suppress-energy-formula] refuses formulas with the place: zero, cycle, unknown code, other unit, brackets without end', async () => {
  for (const code of ['F1', 'F2']) await add(code, { Source: 2 })
  await add('FW', { Source: 2, EnergyType: 2 })
  const sum = (await add('F3', { Source: 3, Formula: ' [F1] + [ F2 ] ' })).Data
  expect(sum).toMatchObject({ Formula: '[F1] + [F2]' })
  expect(await check('([F1]-[F2])*0.5+[F1]/2')).toEqual({ Valid: true, Errors: [], Places: [] })
  expect(await check('[F1]*[FW]/[FW]')).toMatchObject({ Valid: true })
  const wrong: [string, number, string, object?][] = [
    ['[F1]/(2-2)', 6, 'zero'],
    ['[F1]+[F9]', 5, 'F9'],
    ['[F1]+[__proto__]', 5, '__proto__'],
    ['[F1]+[constructor]', 5, 'constructor'],
    ['[F1]+[FW]', 5, 'm³'],
    ['[F1]+1', 5, 'kWh'],
    ['[FW]', 0, 'm³'],
    ['[F1]+#3', 5, '#'],
    ['[F1]+min(1)', 5, 'm'],
    [`${'('.repeat(10_000)}1`, 1000, '1,000'],
    [`${'('.repeat(100)}[F1]${')'.repeat(100)}`, 31, ''],
    ['[F1]+[F3]', 5, 'F3', { Id: sum.Id }],
  ]
  for (const [formula, place, says, more] of wrong) {
    const { Valid, Errors, Places } = await check(formula, more)
    expect([formula.slice(0, 40), Valid, Errors.length]).toEqual([formula.slice(0, 40), false, 1])
    expect(Errors[0]).toContain(says)
    if (says) expect([formula.slice(0, 40), Places]).toEqual([formula.slice(0, 40), [place]])
  }
  expect(await call('PUT', base, { Id: sum.Id, Formula: '[F1]/0' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Formula: [expect.stringContaining('6')] } },
  })
  expect(await add('F4', { Source: 3 })).toMatchObject({ StatusCode: 400, Details: { Fields: { Formula: [expect.anything()] } } })
})

it('a new code keeps formulas true, and what formulas use is not removed and keeps its unit', async () => {
  const used = (await add('R1', { Source: 2 })).Data.Id
  const user = (await add('R2', { Source: 3, Formula: '[R1]*2' })).Data.Id
  await kit.data('owner', 'PUT', base, { Id: used, EnergyCode: 'R1new' })
  expect(await find(user)).toMatchObject({ Formula: '[R1new]*2' })
  expect(await call('DELETE', base, { Id: used })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'energyInfo', Id: user }] },
  })
  expect(await call('PUT', base, { Id: used, Unit: 'MWh' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Unit: [expect.anything()] } },
  })
})

it('people read of a formula the codes that they see, and may use no others', async () => {
  const elsewhere = (await make.create(named('project'))).Id
  const hidden = (await add('H1', { Source: 2, ProjectId: elsewhere })).Data.Id
  await add('H2', { Source: 2 })
  const sum = (await add('H3', { Source: 3, Formula: '[H1]+[H2]' })).Data
  await kit.person('narrow', kit.enterprises.ours, { projects: [project] })
  expect(await find(sum.Id, 'narrow')).toMatchObject({ Formula: '[?]+[H2]', FormulaIds: [expect.any(Number)] })
  const asked = await kit.data<Checked>('narrow', 'POST', `${base}/CheckFormula`, { Formula: '[H1]' })
  expect(asked).toMatchObject({ Valid: false, Places: [0] })
  expect(await kit.call('narrow', 'PUT', base, { Id: sum.Id, EnergyName: 'Sum', Formula: '[?]+[H2]' })).toMatchObject({ Succeeded: true })
  expect(await find(sum.Id)).toMatchObject({ EnergyName: 'Sum', Formula: '[H1]+[H2]' })
  const stored = await kit.db.rows<{ Id: number; EnterpriseId: number; FormulaIds: number[] }>(
    sql`select "Id", "EnterpriseId", "FormulaIds" from energy_info where "Id" = ${sum.Id}`,
  )
  const parts = await partsOf(kit.db, { ...actorOf(), projects: [project] } as Actor, stored[0]!)
  expect([parts.seen.map(({ EnergyCode }) => EnergyCode), parts.others.map(({ Id }) => Id)]).toEqual([['H2'], [hidden]])
})

it('[suppress-energy-code] proposes the next free code below a circuit, and says whether one is free', async () => {
  const top = (await add('P9', { Source: 2 })).Data.Id
  const next = async (query: string) => (await kit.data<{ EnergyCode: string }>('owner', 'GET', `${base}/EnergyCode?${query}`)).EnergyCode
  expect(await next(`ParentId=${top}`)).toBe('P9.01')
  await add('P9.01', { Source: 2, ParentId: top })
  expect(await next(`ParentId=${top}`)).toBe('P9.02')
  expect(await next('EnergyType=2')).toBe('W01')
  const ask = (EnergyCode: string, more = {}) => kit.data<Checked>('owner', 'POST', `${base}/CheckCode`, { EnergyCode, ...more })
  expect(await ask('P9')).toMatchObject({ Valid: false, Errors: [expect.stringContaining('Another')] })
  expect(await ask('P9', { Id: top })).toEqual({ Valid: true, Errors: [], Places: [] })
  for (const bad of ['__proto__', '=cmd', '', 'a b', 'x'.repeat(31)]) expect(await ask(bad)).toMatchObject({ Valid: false })
  expect(await add('__proto__')).toMatchObject({ StatusCode: 400, Details: { Fields: { EnergyCode: [expect.anything()] } } })
})

it('formulas are worked out exactly', async () => {
  for (const code of ['X1', 'X2', 'X3']) await add(code, { Source: 2 })
  await add('X5', { Source: 3, Formula: '[X1]*[X2]/[X3]' })
  await add('X4', { Source: 3, Formula: '([X5]-[X2])/3' })
  const rows = await kit.db.rows<Circuit>(
    sql`select "EnergyCode", "Formula", "FormulaIds" from energy_info where "EnergyCode" in ('X5', 'X4') order by "Id"`,
  )
  const [quotient, third] = rows.map(({ Formula }) => compileFormula(readStored(Formula!)!))
  expect(quotient!.codes).toEqual(rows[0]!.FormulaIds.map((id) => `#${id}`))
  expect([quotient!.evaluate([6000n, 2000n, 4000n]), quotient!.evaluate([6000n, 2000n, 0n]), quotient!.evaluate([null, 1n, 1n])]).toEqual([
    3000n,
    null,
    null,
  ])
  expect(third!.sum).toEqual({ weights: [1n, -1n], divisor: 3n })
  expect([third!.evaluate([10n, 0n]), third!.evaluate([0n, 5n]), third!.evaluate([1n, null])]).toEqual([3n, -2n, null])
})

it('cost centres share a circuit by 100 % from each day on, and factors count from their day', async () => {
  const { Id } = (await add('S1', { Source: 2 })).Data
  const set = (From: string, ...Shares: [string, number][]) =>
    call('PUT', `${base}/CostCentre`, { EnergyInfoId: Id, From, Shares: Shares.map(([CostCentre, Percent]) => ({ CostCentre, Percent })) })
  expect(await set('2026-01-01', ['A', 33.3333], ['B', 66.6667])).toMatchObject({ Succeeded: true })
  expect(await set('2026-03-01', ['A', 50], ['B', 49.9])).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Shares: [expect.stringContaining('99.9')] } },
  })
  expect(await set('2026-03-01', ['A', 50], ['A', 50])).toMatchObject({ StatusCode: 400 })
  expect(await set('2026-02-30', ['A', 100])).toMatchObject({ StatusCode: 400, Details: { Fields: { From: [expect.anything()] } } })
  await set('2026-02-01', ['C', 100])
  expect((await sharesOf(kit.db, [Id])).get(Id)).toEqual([
    { from: '2026-02-01', shares: [{ costCentre: 'C', percent: 1_000_000n }] },
    {
      from: '2026-01-01',
      shares: [
        { costCentre: 'A', percent: 333_333n },
        { costCentre: 'B', percent: 666_667n },
      ],
    },
  ])
  expect(await call('GET', `${base}/CostCentre?EnergyInfoId=${Id}`, undefined, 'stranger')).toMatchObject({ StatusCode: 404 })
  await kit.data('owner', 'POST', `${base}/Factor`, { EnergyType: 1, From: '2026-06-01', Kgce: 0.3, Kgco2e: 0.4 })
  const of = await factorsOf(kit.db, kit.enterprises.ours)
  expect([of(1, '2026-05-31').kgce, of(1, '2026-06-01').kgce]).toEqual([122_900_000n, 300_000_000n])
})

it('proposes circuits of the points that count energy, and makes them all or none', async () => {
  const own = (await make.create(named('device'), { GatewayId: gateway })).Id
  const [energy, steam] = [
    await meter(1, { ParaUnitName: 'MWh' }, own),
    await meter(1, { ParaName: 'Steam gas heat', ParaUnitName: 'GJ' }, own),
  ]
  const temperature = await meter(0, { ParaUnitName: '°C' }, own)
  const read = () =>
    kit.data<{ Items: { ParaId: number; EnergyType: number; Multiplier: number; Unit: string }[] }>(
      'owner',
      'GET',
      `${base}/Proposal?ProjectId=${project}`,
    )
  const { Items } = await read()
  expect(Items.find(({ ParaId }) => ParaId === energy)).toMatchObject({ EnergyType: 1, Unit: 'kWh', Multiplier: 1000 })
  expect(Items.find(({ ParaId }) => ParaId === steam)).toMatchObject({ EnergyType: 5, Unit: 'GJ' })
  expect(Items.some(({ ParaId }) => ParaId === temperature)).toBe(false)
  const take = (ParaIds: number[]) => call('POST', `${base}/Proposal`, { ProjectId: project, ParaIds })
  expect(await take([energy, temperature])).toMatchObject({ StatusCode: 400, Details: { Fields: { 'ParaIds.1': [expect.anything()] } } })
  expect(await take([energy, steam])).toMatchObject({ Data: { Added: 2 } })
  expect((await read()).Items.some(({ ParaId }) => ParaId === energy)).toBe(false)
  expect(await call('GET', `${base}/Proposal?ProjectId=${project}`, undefined, 'stranger')).toMatchObject({ StatusCode: 404 })
})
