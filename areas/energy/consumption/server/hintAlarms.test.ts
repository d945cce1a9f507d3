// Hints become alarms through the front door: raised once a day, heard of, muted, and over when the hint no longer holds.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { startWorks } from './consumption.fixture.ts'
import { startHintAlarms } from './hintAlarms.ts'

const [minute, hour] = [60_000, 3_600_000]
/** Local midnight in Madrid, and 62 days before it. */
const midnight = Date.parse('2026-05-19T22:00:00Z')
const begin = midnight - 62 * 24 * hour
let now = midnight + 6 * hour
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
let worker: ReturnType<typeof startHintAlarms>
const ids: Record<string, number> = {}
const heard: { Event: string; RuleName: string }[] = []

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const circuit = async (EnergyCode: string, more: object) => {
    const body = { EnergyName: EnergyCode, EnergyCode, ProjectId: works.ProjectId, ...more }
    ids[EnergyCode] = (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', body)).Id
  }
  const PriceStandardId = await works.tariff()
  // Nights are loud until the morning of the 20th; the next one is as quiet as those before.
  const counted = async (before: number, tonight: number) => {
    const point = await works.meter()
    const morning = midnight + 12 * hour
    await works.count(point, { from: begin, to: midnight }, 100, before, hour / 4)
    await works.count(point, { from: midnight, to: morning }, 100 + before * 62 * 24, tonight, hour / 4)
    const next = 100 + before * 62 * 24 + tonight * 12
    await works.count(point, { from: morning, to: morning + 36 * hour }, next, before, hour / 4)
    return point
  }
  await circuit('loud', { Source: 1, ParaId: await counted(5, 9), PriceStandardId })
  await circuit('quiet', { Source: 1, ParaId: await counted(4, 4), PriceStandardId })
  await circuit('water', { Source: 1, ParaId: await counted(2, 2), EnergyType: 2 })
  const hub = {
    send: () => undefined,
    sendIn: (_: object, __: string, render: (language: 'ja') => [{ Event: string; RuleName: string }]) => heard.push(render('ja')[0]),
  }
  const { database } = kit
  const failed = (of: object) => {
    throw of
  }
  worker = startHintAlarms({
    database,
    telemetry: works.telemetry,
    hub: hub as never,
    isOwner: () => true,
    clock: () => now,
    log: { warn: failed },
  })
}, 120_000)
afterAll(async () => {
  await worker?.stop()
  await works?.close()
})

const at = async (time: number) => {
  now = time
  await worker.settle()
}
type Alarm = { Id: number; RuleName: string; IsActive: number; AlarmType: number; AlarmDesc: string; ProjectId: number }
const alarms = async (as = 'owner', query = '') =>
  (await kit.data<Page<Alarm>>(as, 'GET', `/Alarm/AlarmInfo/List?AlarmType=5&OrderColumn=Id${query}`)).Items
const states = async () => (await alarms()).map(({ RuleName, IsActive }) => `${RuleName} ${IsActive}`)
const mute = (EnergyInfoId: number | undefined, Rule: string, Muted: 0 | 1) =>
  kit.data('owner', 'POST', '/Energy/Hint/NotUseful', { EnergyInfoId, Rule, Muted })

it('a server that has just started raises nothing; then each hint has one alarm, with its value and the limit, in the reader’s language', async () => {
  expect(await states()).toEqual([])
  await at(now + 10 * minute)
  const found = await alarms()
  expect(found.map(({ RuleName, AlarmDesc }) => `${RuleName} ${AlarmDesc}`)).toEqual([
    'loud: night load 45 kWh (limit > 30)',
    'water: water that never stops 2 m³/h (limit > 0)',
  ])
  expect(found[0]).toMatchObject({ AlarmType: 5, IsActive: 1, ProjectId: works.ProjectId })
  expect(heard.map(({ Event, RuleName }) => `${Event} ${RuleName}`)).toEqual(['raised loud：夜間負荷', 'raised water：止まらない水'])
  expect((await alarms('owner', '&Search=night')).map(({ RuleName }) => RuleName)).toEqual(['loud: night load'])
  expect(await alarms('stranger')).toEqual([])
  expect(await kit.db.rows(sql`select 1 from notice_due`)).toHaveLength(2)
})

it('a hint that goes on raises no second alarm, within the hour nor after it', async () => {
  await at(now + 30 * minute)
  await at(now + 2 * hour)
  expect(await states()).toEqual(['loud: night load 1', 'water: water that never stops 1'])
})

it('“not useful” ends the alarm at once, and nothing raises it again on that day', async () => {
  await mute(ids.water, 'water', 1)
  expect(await states()).toEqual(['loud: night load 1', 'water: water that never stops 0'])
  await mute(ids.water, 'water', 0)
  await at(now + 2 * hour)
  expect(await states()).toEqual(['loud: night load 1', 'water: water that never stops 0'])
})

it('a night stays until the next one is over; then the alarm of a hint that no longer holds is over, too', async () => {
  await at(midnight + 26 * hour)
  expect((await states())[0]).toBe('loud: night load 1')
  // A new day: what still holds is an alarm of that day.
  expect((await states()).slice(1)).toEqual(['water: water that never stops 0', 'water: water that never stops 1'])
  await at(midnight + 30 * hour)
  expect((await states())[0]).toBe('loud: night load 0')
})

it('hints that are off, and circuits that are gone, leave no alarm behind', async () => {
  await kit.db.rows(sql`
    insert into tenant_config ("EnterpriseId", "Name", "Config") values (${kit.enterprises.ours}, 'energyHints', '{"IsOn": 0}')`)
  await at(now + hour)
  expect((await alarms()).filter(({ IsActive }) => IsActive)).toEqual([])
})

it('people who ask for alarms without a rule are sent those of energy', async () => {
  const setting = {
    Levels: [1, 2, 3],
    Methods: [1, 3],
    NoDisturb: { Enabled: 0, Start: '08:00', End: '10:00', Mode: 2 },
    Sound: 1,
    WithoutRule: 1,
  }
  await kit.data('owner', 'PUT', '/Alarm/AlarmUserSetting', { ...setting, Types: [1, 2, 5] })
  await kit.db.rows(sql`update tenant_config set "Config" = '{"IsOn": 1}' where "Name" = 'energyHints'`)
  const before = (await alarms()).length
  await at(midnight + 54 * hour)
  expect((await alarms()).length).toBeGreaterThan(before)
  expect(await kit.db.rows(sql`select 1 from alarm_push`)).not.toHaveLength(0)
})
