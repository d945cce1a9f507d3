// The records that the kit shows. They are created through the API, so that every part talks to a real server.
import { alarmCode } from '../../areas/alarms/alarm-plans/contract.ts'
import { netProtocol } from '../../areas/configuration/channels/contract.ts'
import { device } from '../../areas/configuration/devices/contract.ts'
import { gateway } from '../../areas/configuration/gateways/contract.ts'
import { proModel } from '../../areas/configuration/models/contract.ts'
import { point, pointCalls } from '../../areas/configuration/points/contract.ts'
import { project } from '../../areas/configuration/projects/contract.ts'
import { enterprise } from '../../areas/people/enterprises/contract.ts'
import { organ } from '../../areas/people/organs/contract.ts'
import { post } from '../../areas/people/posts/contract.ts'
import { role } from '../../areas/people/roles/contract.ts'
import { apiCredential } from '../../areas/system/open-api/contract.ts'
import type { Shown } from '../../console/kernel/api.ts'
import { invoke, queryString, request } from '../../console/session/request.ts'
import type { Page } from '../../contract/call.ts'
import type { Draft, Resource } from '../../contract/resource.ts'

/** Finds a record by its title, or creates it: the page may be opened again. */
const ensure = async <R extends Resource>(r: R, draft: Draft<R>): Promise<Shown<R>> => {
  const title = (draft as Record<string, unknown>)[r.title]
  const query = queryString({ PageIndex: 1, PageSize: 1000 })
  const { Items } = await request<Page<Shown<R>>>('GET', `${r.path}/List${query}`)
  const found = Items.find((row) => (row as Record<string, unknown>)[r.title] === title)
  if (!found) await request('POST', r.path, draft)
  return found ?? ensure(r, draft)
}

const faults = [
  ['E01', 'Overload', 3, 'The motor draws more than its rated current for longer than a minute.'],
  ['E02', 'Dry run', 3, null],
  ['E03', 'Bearing too hot', 2, 'Lubrication is missing or the bearing is worn.'],
  ['E04', 'Phase missing', 3, null],
  ['E05', 'Service due', 1, null],
] as const

const units = ['bar', 'm³/h', '°C', 'kW', 'rpm']

const seedPoints = async (DeviceId: number) => {
  const { TotalCount } = await request<Page<unknown>>('GET', `${point.path}/List${queryString({ PageIndex: 1, PageSize: 1, DeviceId })}`)
  if (TotalCount) return
  const Items = Array.from({ length: 300 }, (_, i) => ({
    ParaName: `Measurement ${String(i + 1).padStart(3, '0')}`,
    Address: String(i * 2),
    ParaUnitName: units[i % units.length],
    AlarmHigh: i % 3 ? null : 80 + i,
  }))
  await invoke(pointCalls.batchAdd, { body: { DeviceId, Items } })
}

const seedOrgans = async () => {
  const works = await ensure(organ, { OrganName: 'Waterworks' })
  for (const [i, OrganName] of ['Abstraction', 'Treatment', 'Distribution'].entries()) {
    const { Id } = await ensure(organ, { OrganName, ParentOrganId: works.Id, Sort: i })
    if (i === 1) for (const OrganName of ['Filtration', 'Disinfection']) await ensure(organ, { OrganName, ParentOrganId: Id })
  }
  return works
}

export type Seeds = Awaited<ReturnType<typeof seed>>
/** The kit's plant belongs to the platform, as in older installations, so no company is needed. */
const seedSite = async () => {
  const draft = { ProjectName: 'North waterworks' }
  const { TotalCount } = await request<Page<unknown>>('GET', `${project.path}/List`)
  if (TotalCount) return ensure(project, draft)
  const company = { Name: 'First', ManagerNO: 'first_manager', ManagerName: 'Manager' }
  const { Id } = await request<{ Id: number }>('POST', enterprise.path, company)
  const site = await ensure(project, draft)
  await request('DELETE', enterprise.path, { Id })
  return site
}

export const seed = async () => {
  const site = await seedSite()
  const works = await seedOrgans()
  const model = await ensure(proModel, { ModelName: 'Pump NK-80', Brand: 'Nordic' })
  for (const [Code, Name, Level, Reason] of faults) await ensure(alarmCode, { Code, Name, Level, Reason, ModelId: model.Id })
  const code = await ensure(alarmCode, {
    Code: 'E06',
    ModelId: model.Id,
    Name: 'Seal leaks',
    Level: 2,
    Reason: 'Water in the oil chamber.',
  })
  const box = await ensure(gateway, { GatewayName: 'Pump house', SN: 'KIT00000001', ProjectId: site.Id })
  const channel = await ensure(netProtocol, { ProtocolName: 'Station bus', GatewayId: box.Id, Ip: '192.0.2.10' })
  const pump = await ensure(device, { DeviceName: 'Pump 1', GatewayId: box.Id, NetProtocolId: channel.Id, ModelId: model.Id })
  await seedPoints(pump.Id)
  const shift = await ensure(post, { PostName: 'Shift supervisor', PostNo: 'S1', BelongOrganId: works.Id })
  const guest = await ensure(role, { RoleName: 'Guest', Sort: 9 })
  await ensure(apiCredential, { ApiName: 'Wall display' })
  return { works, code, pump, shift, guest }
}
