import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { region } from '../../../people/regions/contract.ts'

let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit.close())

type ByStatus = { TotalCount: number; Items: { Status: number; Count: number }[] }
type Alarms = ByStatus & { ActiveCount: number; UnacknowledgedCount: number }
type City = { RegionId: number | null; City: string | null; Count: number }
const get = <T>(path: string, as = 'owner') => kit.data<T>(as, 'GET', path)
const count = async (path: string, as = 'owner') => (await get<Page<unknown>>(path, as)).TotalCount

const raise = async (deviceId: number, start: string, more: { active?: number; handled?: number; ack?: number } = {}) => {
  const { active = 1, handled = 0, ack = 0 } = more
  await kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "DeviceId", "StartTime", "IsActive", "HandleStatus", "AckStatus")
    values (${kit.enterprises.ours}, '', 'Too hot', ${deviceId}, ${start}::timestamptz, ${active}, ${handled}, ${ack})`)
}

/** Every figure beside the list it links to. */
const figuresAgree = async (as = 'owner') => {
  const alarms = await get<Alarms>('/Alarm/AlarmInfo/AlarmCountByStatus', as)
  expect(alarms.TotalCount).toBe(await count('/Alarm/AlarmInfo/List', as))
  expect(alarms.ActiveCount).toBe(await count('/Alarm/AlarmInfo/List?IsActive=1', as))
  expect(alarms.UnacknowledgedCount).toBe(await count('/Alarm/AlarmInfo/List?IsActive=1&AckStatus=0', as))
  for (const { Status, Count } of alarms.Items) expect(Count).toBe(await count(`/Alarm/AlarmInfo/List?HandleStatus=${Status}`, as))
  const days = await get<{ Date: string; Count: number }[]>('/Alarm/AlarmInfo/AlarmCountByLastDate?Days=4', as)
  for (const day of days) expect(day.Count, day.Date).toBe(await count(`/Alarm/AlarmInfo/List?StartTime=${day.Date}`, as))
  const gateways = await get<ByStatus>('/Home/StaticGateWayCount', as)
  expect(gateways.TotalCount).toBe(await count('/Project/Gateway/List', as))
  for (const { Status, Count } of gateways.Items) expect(Count).toBe(await count(`/Project/Gateway/List?OnlineStatus=${Status}`, as))
  const devices = await get<ByStatus>('/Project/Device/StaticDevCount', as)
  expect(devices.TotalCount).toBe(await count('/Project/Device/List', as))
  for (const { Status, Count } of devices.Items) expect(Count).toBe(await count(`/Project/Device/List?Status=${Status}`, as))
  const cities = await get<{ TotalCount: number; Items: City[] }>('/Home/StaticProjectByCity', as)
  expect(cities.TotalCount).toBe(await count('/Project/Project/List', as))
  for (const { RegionId, Count } of cities.Items)
    if (RegionId) expect(Count).toBe(await count(`/Project/Project/List?RegionId=${RegionId}`, as))
  return { alarms, days, gateways, devices, cities }
}

it('every figure is the count of the list behind it, and one more when one more record is there', async () => {
  const empty = await figuresAgree()
  expect(empty).toMatchObject({
    alarms: { TotalCount: 0 },
    gateways: { TotalCount: 0 },
    devices: { TotalCount: 0 },
    cities: { TotalCount: 0, Items: [] },
  })
  const city = await make.create(region, { RegionName: 'Riverside' })
  const site = await make.create(project, { RegionId: city.Id })
  const box = await make.create(gateway, { ProjectId: site.Id })
  const machine = await make.create(device, { GatewayId: box.Id })
  const now = new Date().toISOString()
  await raise(machine.Id, now)
  const one = await figuresAgree()
  expect(one).toMatchObject({
    alarms: {
      TotalCount: 1,
      ActiveCount: 1,
      UnacknowledgedCount: 1,
      Items: [
        { Status: 0, Count: 1 },
        { Status: 1, Count: 0 },
        { Status: 2, Count: 0 },
      ],
    },
    gateways: {
      TotalCount: 1,
      Items: [
        { Status: 0, Count: 0 },
        { Status: 1, Count: 0 },
        { Status: 2, Count: 1 },
      ],
    },
    devices: { TotalCount: 1 },
    cities: { TotalCount: 1, Items: [{ RegionId: city.Id, City: 'Riverside', Count: 1 }] },
  })
  expect(one.days.at(-1)!.Count).toBe(1)
  await raise(machine.Id, now, { active: 0, handled: 1 })
  await raise(machine.Id, now, { handled: 2, ack: 1 })
  await raise(machine.Id, new Date(Date.now() - 86_400_000).toISOString(), { active: 0, handled: 1 })
  await make.create(project)
  const more = await figuresAgree()
  expect(more.alarms).toMatchObject({ TotalCount: 4, ActiveCount: 2, UnacknowledgedCount: 1 })
  expect(more.days.map((d) => d.Count).slice(-2)).toEqual([1, 3])
  expect(more.cities.Items.at(-1)).toMatchObject({ RegionId: null, Count: 1 })
})

it('days are those of the caller, as his list cuts them', async () => {
  const box = await make.create(gateway)
  const machine = await make.create(device, { GatewayId: box.Id })
  // Just after midnight in Tokyo, still the day before in UTC.
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  await raise(machine.Id, `${today}T00:30:00+09:00`)
  const ask = async (path: string) =>
    (await kit.call<{ Date: string; Count: number }[]>('owner', 'GET', path, undefined, { 'x-time-zone': 'Asia/Tokyo' })).Data
  const days = await ask('/Alarm/AlarmInfo/AlarmCountByLastDate?Days=2')
  expect(days.at(-1)!.Date).toBe(today)
  const list = (await ask(`/Alarm/AlarmInfo/List?StartTime=${today}`)) as unknown as Page<unknown>
  expect(days.at(-1)!.Count).toBe(list.TotalCount)
})

it('another tenant, and somebody with one project, count their own only; who may not see a list gets no figure of it', async () => {
  const strangers = await figuresAgree('stranger')
  expect(strangers).toMatchObject({ alarms: { TotalCount: 0 }, devices: { TotalCount: 0 }, cities: { TotalCount: 0 } })
  const site = await make.create(project)
  await make.create(gateway, { ProjectId: site.Id })
  await kit.person('narrow', kit.enterprises.ours, { projects: [site.Id] })
  expect(await figuresAgree('narrow')).toMatchObject({ gateways: { TotalCount: 1 }, cities: { TotalCount: 1 }, alarms: { TotalCount: 0 } })
  for (const path of [
    '/Alarm/AlarmInfo/AlarmCountByStatus',
    '/Alarm/AlarmInfo/AlarmCountByLastDate',
    '/Home/StaticGateWayCount',
    '/Project/Device/StaticDevCount',
    '/Home/StaticProjectByCity',
  ])
    expect(await kit.call('nobody', 'GET', path), path).toMatchObject({ StatusCode: 403 })
})

it('asks for days in reason', async () => {
  expect(await get<unknown[]>('/Alarm/AlarmInfo/AlarmCountByLastDate')).toHaveLength(14)
  expect(await kit.call('owner', 'GET', '/Alarm/AlarmInfo/AlarmCountByLastDate?Days=100000')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Days: [expect.any(String)] } },
  })
})
