// Punches of people who are assigned to shifts, from readings of cards and the clock alone.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { rosterRoutes } from '../../../alarms/alarms/server/rosters.ts'
import { openCardReads } from './service.ts'
import { judgeShifts } from './start.ts'

type Punch = {
  Id: number
  Day: string
  PunchType: number
  Status: number
  PunchTime: string
  PlanTime: string
  ShiftName: string
  Way: number | null
}
const path = '/Maintenance/MtnPunchRecord'
const duties = '/Maintenance/MtnShiftDuty'

let kit: Kit
let gateway: { Id: number; EnterpriseId: number; ProjectId: number }
let UserId: number
let now = 0
let read: (at: number, CardNo?: string) => Promise<void>
/** Wall clock of Madrid in winter. */
const at = (text: string) => Date.parse(`${text}:00+01:00`)
beforeAll(async () => {
  kit = await startKit({ areas: () => [rosterRoutes] })
  gateway = (await maker(kit).create(named('gateway'))) as unknown as typeof gateway
  const reads = openCardReads({ system: kit.db, now: () => now, announce: () => undefined })
  read = (ReadTime, CardNo = 'AA000001') => {
    now = Math.max(now, ReadTime)
    return reads(gateway, { CardNo, Reader: 'gate', ReadTime })
  }
  UserId = kit.people.get('viewer')!.id
  await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid' where "Id" = ${gateway.EnterpriseId}`)
  await kit.db.rows(sql`update project set "Longitude" = 2, "Latitude" = 41 where "Id" = ${gateway.ProjectId}`)
  await kit.data('owner', 'POST', '/Project/ProRFIDInfo', { CardName: 'Vera', CardNo: 'AA000001', CardType: 2, UserId })
  const times = [
    { Name: 'Early', Start: '06:00', End: '14:00', Weeks: [2, 3, 4, 5, 6] },
    { Name: 'Night', Start: '22:00', End: '06:00', Weeks: [2, 3, 4, 5, 6] },
  ]
  const plan = { PlanName: 'Shifts', ProjectId: gateway.ProjectId, ValidFrom: '2026-01-01', Times: times, Holidays: ['2026-03-06'] }
  await kit.data('owner', 'POST', '/Project/ShiftPlan', plan)
})
beforeEach(async () => {
  for (const name of ['mtn_punch_record', 'pro_rfid_history', 'mtn_shift_duty']) await kit.db.rows(sql`delete from ${sql.table(name)}`)
  now = 0
})
afterAll(() => kit?.close())

const assign = async (more: object = { UserId }, ShiftName = 'Early') => {
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', duties, { ShiftName, ProjectId: gateway.ProjectId, ...more })
  await kit.db.rows(sql`update mtn_shift_duty set "UpdateTime" = '2026-03-01' where "Id" = ${Id}`)
  await kit.db.rows(sql`update alarm_roster set "UpdateTime" = '2026-03-01'`)
  return Id
}
const punches = async (as = 'owner') =>
  (await kit.data<{ Items: Punch[] }>(as, 'GET', `${path}/List?OrderColumn=PunchTime&OrderType=asc`)).Items
const short = async () => (await punches()).map(({ Day, PunchType, Status }) => `${Day.slice(8)} ${PunchType}:${Status}`)
const tick = (text: string) => {
  now = Math.max(now, at(text))
  return judgeShifts(kit.database, now)
}

it('who has not come by the end of the grace is missing that day, and late as soon as the card is read', async () => {
  await assign({ UserId, GraceMin: 10 })
  await tick('2026-03-02T06:10')
  expect(await punches()).toEqual([])
  await tick('2026-03-02T06:11')
  const [missing] = await punches()
  expect(missing).toMatchObject({
    Day: '2026-03-02',
    PunchType: 1,
    Status: 4,
    Way: null,
    ShiftName: 'Early',
    PlanTime: '2026-03-02 05:00:00',
  })
  await read(at('2026-03-02T07:30'))
  expect(await punches()).toMatchObject([{ Id: missing!.Id, Status: 1, Way: 2, PunchTime: '2026-03-02 06:30:00' }])
  await read(at('2026-03-02T13:55'))
  expect(await short()).toEqual(['02 1:1', '02 2:0'])
  // The worker finds the same, however often it looks; a day without a shift has no record.
  for (let i = 0; i < 2; i++) await tick('2026-03-02T20:00')
  await tick('2026-03-02T21:00')
  expect(await short()).toEqual(['02 1:1', '02 2:0'])
})

it('a night shift belongs to the day on which it begins, also when its readings arrive late and in any order', async () => {
  await assign({ UserId }, 'Night')
  for (const text of ['2026-03-03T06:02', '2026-03-02T21:58', '2026-03-03T22:20']) await read(at(text))
  expect(await short()).toEqual(['02 1:0', '02 2:0', '03 1:1'])
  await tick('2026-03-04T12:00')
  expect(await short()).toEqual(['02 1:0', '02 2:0', '03 1:1', '03 2:4'])
  // Friday is a holiday, so its night needs no one.
  await tick('2026-03-07T20:00')
  expect((await short()).filter((of) => of.startsWith('06'))).toEqual([])
})

it('members of a team and people of a department are assigned as well, and someone without a shift is not judged', async () => {
  const other = kit.people.get('nobody')!.id
  const roster = { RosterName: 'Gate crew', TimeZone: 'UTC', Shifts: [{ Start: '00:00', End: '12:00', Users: [UserId] }] }
  const team = await kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRoster', roster)
  const department = await maker(kit).create(named('department'))
  await kit.db.rows(sql`update "user" set "DepartmentId" = ${department.Id} where "Id" = ${other}`)
  await assign({ TeamId: team.Id })
  await assign({ DepartmentId: department.Id })
  await tick('2026-03-02T07:00')
  const of = (await kit.db.rows<{ UserId: number }>(sql`select "UserId" from mtn_punch_record order by "UserId"`)).map((row) => row.UserId)
  expect(of).toEqual([UserId, other].toSorted((a, b) => a - b))
  await kit.db.rows(sql`update "user" set "DepartmentId" = null where "Id" = ${other}`)
  await kit.data('owner', 'POST', '/Project/ProRFIDInfo', { CardName: 'Free', CardNo: 'AA000002', CardType: 2, UserId: other })
  await read(at('2026-03-03T11:00'), 'AA000002')
  expect((await punches()).at(-1)).toMatchObject({ Day: '2026-03-03', Status: 0, ShiftName: null, PlanTime: null })
})

it('a reading at another site is outside of the area, and a correction needs someone else and stays', async () => {
  const Id = await assign({ UserId, Longitude: 2, Latitude: 41.1, RadiusM: 500 })
  await read(at('2026-03-02T05:58'))
  const [punch] = await punches()
  expect(punch).toMatchObject({ Status: 3, DistanceM: 11_119 })
  const correct = (ApproverId: number) =>
    kit.call('owner', 'POST', `${path}/Correct`, { Id: punch!.Id, PunchTime: '2026-03-02 05:00:00', ApproverId, Remark: 'Was at the dam' })
  expect(await correct(UserId)).toMatchObject({ StatusCode: 400, Details: { Fields: { ApproverId: expect.anything() } } })
  expect(await correct(kit.people.get('nobody')!.id)).toMatchObject({ Data: { Status: 5 } })
  await kit.data('owner', 'PUT', duties, { Id, RadiusM: 50_000 })
  await read(at('2026-03-02T05:50'))
  await tick('2026-03-02T12:00')
  expect(await punches()).toMatchObject([{ Status: 5, PunchTime: '2026-03-02 05:00:00' }])
})

it('who is assigned by a change is not missing in shifts before it, and one shift counts once however often it is assigned', async () => {
  const Id = await assign({ UserId: kit.people.get('nobody')!.id })
  await kit.data('owner', 'PUT', duties, { Id, UserId })
  await kit.db.rows(sql`update mtn_shift_duty set "UpdateTime" = '2026-03-03 12:00+01' where "Id" = ${Id}`)
  await assign({ UserId }, 'No such shift')
  await tick('2026-03-04T07:00')
  expect(await short()).toEqual(['04 1:4'])
  const late = await assign({ UserId, GraceMin: 240 })
  expect(late).toBeGreaterThan(Id)
  await read(at('2026-03-04T07:00'))
  expect(await punches()).toMatchObject([{ Status: 1, ShiftName: 'Early' }])
})

it('an assignment names one of person, team and department at most, of the same company, and needs its right', async () => {
  const base = { ShiftName: 'Early', ProjectId: gateway.ProjectId }
  const team = await kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRoster', {
    ...{ RosterName: 'Two', TimeZone: 'UTC', Shifts: [{ Start: '00:00', End: '12:00', Users: [UserId] }] },
  })
  const add = (more: object, as = 'owner') => kit.call(as, 'POST', duties, { ...base, ...more })
  expect(await add({ UserId, TeamId: team.Id })).toMatchObject({ StatusCode: 400, Details: { Fields: { TeamId: [expect.any(String)] } } })
  for (const more of [
    { UserId: kit.people.get('stranger')!.id },
    { UserId, GraceMin: -1 },
    { UserId, RadiusM: 0 },
    { UserId, Latitude: 91 },
  ])
    expect(await add(more), JSON.stringify(more)).toMatchObject({ StatusCode: 400 })
  expect(await add({ UserId }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await add({ UserId }, 'stranger')).toMatchObject({ Succeeded: false })
})
