// Kills the server while it schedules, renders and mails reports: one complete report per schedule and period, no duplicate mail.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer } from '../../main/testing/providers.ts'
import { password, until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

const kills = rounds(3, 20)
const schedules = 12
const own = ownServer({ PENSTOCK_OUTBOUND: '127.0.0.1/32' })
let mail: Awaited<ReturnType<typeof startMailServer>>

type Run = { Id: number; ScheduleId: number; Status: number; Sha256: string }
type Sent = { SendStatus: number; ErrorText: string | null }

/** Schedules with one report each, mailed to their owner. */
const addSchedules = async () => {
  const { door } = own
  const token = await door.login('rita')
  const api = <T = { Id: number }>(method: string, path: string, body?: unknown) => door.data<T>(method, path, body, token)
  await api('PUT', '/System/User/Account', { Email: 'rita@example.com', Pwd: password })
  await api('PUT', '/System/WechatConfig/MessagePush', {
    ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer' },
    ...{ EmailPassword: 'mail secret', EmailFrom: 'Penstock <reports@example.com>' },
  })
  const { Id: ProjectId } = await api('POST', '/Project/Project', { ProjectName: 'Works' })
  const { Id: GatewayId } = await api('POST', '/Project/Gateway', { GatewayName: 'Works', SN: 'REPORTKILLED', ProjectId })
  const channel = { ProtocolName: 'LAN', GatewayId, Ip: '127.0.0.1', Port: 1 }
  const { Id: NetProtocolId } = await api('POST', '/Project/Protocol/NetProtocol', channel)
  const { Id: DeviceId } = await api('POST', '/Project/Device', { DeviceName: 'Basin', GatewayId, NetProtocolId })
  const { Id: ParaId } = await api('POST', '/Project/DevPara', { DeviceId, ParaName: 'Level', Address: '0' })
  const { Id: GroupId } = await api('POST', '/DataCenter/ReportGroup', { GroupName: 'Basin', GroupType: 3, Points: [{ ParaId }] })
  const Blocks = [{ Type: 'keyFigures' }, { Type: 'coverage' }]
  const template = { TemplateName: 'Day', GroupId, Period: 'day', Blocks }
  const { Id: ReportTemplateId } = await api('POST', '/DataCenter/ReportTemplate', template)
  const Receivers = [(await api('GET', '/System/User/UserInfo')).Id]
  for (let i = 0; i < schedules; i++) {
    const schedule = { ScheduleName: `Day ${i}`, ReportTemplateId, Format: i % 2 ? 'csv' : 'pdf', Receivers }
    await api('POST', '/DataCenter/ReportSchedule', schedule)
  }
}

const runs = () => own.query<Run>(`select "Id"::int, "ScheduleId"::int, "Status", "Sha256" from report_run order by "ScheduleId"`)
const beginAnew = async () => {
  mail.mails.length = 0
  await own.query('delete from report_run')
  await own.query('delete from alm_push_record')
  await own.query(`update report_schedule set "NextTime" = now() - interval '1 minute'`)
}
/** Runs the timer until all reports are done and all mails have an outcome. */
const allSent = async (tick: () => Promise<unknown>) => {
  const made = await until('all reports', async () => {
    await tick()
    const now = await runs()
    return now.length >= schedules && now.every(({ Status }) => Status === 2) && now
  })
  const mails = await until('an outcome of each mail', async () => {
    const all = await own.query<Sent>(`select "SendStatus", "ErrorText" from alm_push_record`)
    return all.length >= schedules && all.every(({ SendStatus }) => SendStatus === 1 || SendStatus === 3) && all
  })
  return { made, mails }
}
const shaOf = async (id: number, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${own.process.origin}/api/DataCenter/ReportRun/File?Id=${id}`, { headers })
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

beforeAll(async () => {
  mail = await startMailServer()
  const manager = { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita', TimeZoneKey: 'Europe/Madrid' }
  const { OneTimePwd } = await own.door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', manager)
  await own.door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await own.door.login('rita', OneTimePwd))
  await addSchedules()
})
afterAll(() => mail?.close())

test('schedules that are due make their reports once, at whatever step the server is killed', inTime(kills), async ({ task }) => {
  const { door } = own
  const timers = await door.data<{ Items: { Id: number; Method: string }[] }>('GET', '/System/Timer/List?PageSize=100')
  const timer = { Id: timers.Items.find(({ Method }) => Method === 'reports')!.Id }
  const tick = () => door.call(door.admin, 'POST', '/System/Timer/Run', timer).catch(() => undefined)
  await beginAnew()
  const from = performance.now()
  await allSent(tick)
  const lasts = performance.now() - from
  const left: number[] = []
  for (let i = 0; i < kills; i++) {
    await beginAnew()
    void tick()
    await pause(Math.random() * lasts)
    await own.process.kill()
    left.push((await runs()).filter(({ Status }) => Status !== 2).length)
    // Interrupted jobs stay leased for ten minutes.
    await own.query(`update report_run set "LeaseUntil" = now() where "Status" = 1`)
    await own.process.start()
    const { made, mails } = await allSent(tick)
    expect(new Set(made.map(({ ScheduleId }) => ScheduleId)).size).toBe(schedules)
    expect([made.length, mails.length]).toEqual([schedules, schedules])
    // A mail in flight is not resent: its outcome is unknown.
    const unknown = mails.filter(({ ErrorText }) => ErrorText === 'unknownOutcome').length
    const sent = mails.filter(({ SendStatus }) => SendStatus === 1).length
    expect([sent + unknown, mail.mails.length >= sent, mail.mails.length <= schedules]).toEqual([schedules, true, true])
    const token = await door.login('rita')
    for (const { Id, Sha256 } of made) expect(await shaOf(Id, token)).toBe(Sha256)
  }
  const note = `${schedules} schedules; not made at the kill: ${left.join(', ')}`
  enter(task, { fault: 'killed at reports', rounds: kills, ...noReadings, note })
})
