// The server is killed while a report of a cold room is approved: it is approved with its pdf and its entry in the log, or not at all.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { password, until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

const kills = rounds(3, 12)
const SN = 'COLDAPPROVAL'
const own = ownServer()
type Report = { Id: number; ReportNo: string; State: number; Result: number; RecordSha256: string; FileSha256: string | null }

const addRoom = async (ProjectId: number) => {
  const { door } = own
  const gateway = await door.data('POST', '/Project/Gateway', { GatewayName: 'Kit', SN, ProjectId })
  const lan = { ProtocolName: 'LAN', GatewayId: gateway.Id, Ip: '127.0.0.1', Port: 1 }
  const net = await door.data('POST', '/Project/Protocol/NetProtocol', lan)
  const device = await door.data('POST', '/Project/Device', { DeviceName: 'Sensors', GatewayId: gateway.Id, NetProtocolId: net.Id })
  const point = await door.data('POST', '/Project/DevPara', { DeviceId: device.Id, ParaName: 'Air', ParaUnitName: '°C', Address: '0' })
  const room = await door.data('POST', '/ColdStorage/InfoPC', { StorageName: 'Killed', ProjectId, TempLow: 2, TempHigh: 8 })
  const Sensors = [{ ParaId: point.Id, SensorType: 1 }]
  await door.data('POST', '/ColdStorage/Init', { Id: room.Id, SN, Sensors, BindTime: '2026-01-01 00:00:00' })
  return room.Id
}

/** People who check and approve. */
const addPeople = async (EnterpriseId: number) => {
  const { door } = own
  type Roles = { Items: { Id: number; RouteRole: string | null }[] }
  const { Items } = await door.data<Roles>('GET', `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`)
  const RoleIds = Items.filter(({ RouteRole }) => RouteRole === 'admin').map(({ Id }) => Id)
  for (const name of ['checker', 'approver']) {
    const made = await door.data<{ OneTimePwd: string }>('POST', '/System/User', { UserNO: name, UserName: name, EnterpriseId, RoleIds })
    const token = await door.login(name, made.OneTimePwd)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: made.OneTimePwd, NewPwd: password }, token)
  }
}

test(
  'a report whose approval is killed is approved with its pdf and its entry in the log, or not at all',
  inTime(kills),
  async ({ task }) => {
    const { door } = own
    const EnterpriseId = await door.ensureCompany()
    const { Id: ProjectId } = await door.data('POST', '/Project/Project', { ProjectName: 'Cold', EnterpriseId })
    const ColdStorageId = await addRoom(ProjectId)
    await addPeople(EnterpriseId)
    const find = (id: number) => door.data<Report>('GET', `/ColdStorage/Report?Id=${id}`)
    const sign = async (act: string, { Id, RecordSha256 }: Report, who: string) =>
      door.call<Report>(await door.login(who), 'POST', `/ColdStorage/Report/${act}`, { Id, RecordSha256, Pwd: password })
    const checked = async () => {
      const [Start, End] = [Date.UTC(2026, 1, 2), Date.UTC(2026, 1, 2, 6)]
      const ask = { ColdStorageId, Start, End, CheckKind: 1, LoadState: 0, Season: 1 }
      const { Id } = await door.data('POST', '/ColdStorage/GenerateReportCheck', ask)
      const report = await until('its record', async () => {
        const report = await find(Id)
        return report.Result !== 0 && report
      })
      expect(await sign('Check', report, 'checker')).toMatchObject({ Succeeded: true })
      return report
    }
    const pdfOf = async (Id: number) => {
      const headers = { authorization: `Bearer ${door.admin}` }
      const answer = await fetch(`${own.process.origin}/api/ColdStorage/Report/Pdf?Id=${Id}`, { headers })
      return createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex')
    }
    const first = await checked()
    const from = performance.now()
    expect(await sign('Approve', first, 'approver')).toMatchObject({ Succeeded: true })
    const lasts = performance.now() - from
    let happened = 0
    for (let i = 1; i <= kills; i++) {
      const report = await checked()
      const answer = sign('Approve', report, 'approver').catch(() => undefined)
      await pause(Math.random() * lasts)
      await own.process.kill()
      await own.process.start()
      const said = await answer
      const { State } = await find(report.Id)
      if (said?.Succeeded) expect(State).toBe(2)
      if (State === 2) happened++
      // Repeated without a fault: a report that was approved is refused, another one is approved now.
      expect(await sign('Approve', report, 'approver')).toMatchObject(State === 2 ? { StatusCode: 409 } : { Succeeded: true })
      const approved = await find(report.Id)
      expect(await pdfOf(report.Id)).toBe(approved.FileSha256)
      const log = await own.query<{ sha: string }>(
        `select "After" ->> 'FileSha256' as sha from change where "Resource" = 'coldReport' and "RecordId" = ${report.Id} and "After" ->> 'State' = '2'`,
      )
      expect(log).toEqual([{ sha: approved.FileSha256 }])
      const files = await own.query(
        `select 1 from stored_file where "Resource" = 'coldReport' and "RecordId" = ${report.Id} and "ContentType" = 'application/pdf'`,
      )
      expect(files).toHaveLength(1)
    }
    enter(task, {
      fault: 'killed at approving a report',
      rounds: kills,
      ...noReadings,
      note: `${happened} had happened, the others had not at all`,
    })
  },
)
