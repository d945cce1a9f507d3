// What journeys about rules need of the demo plant: a point that is read, one that can be written, and the tenant they belong to.
import { until } from '../front-door.ts'

type Point = { Id: number; DeviceId: number; ParaName: string; DeviceName: string; ProjectLow: number; ProjectHigh: number }
type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Resolves once the plant exists. Both points are in one project; `set` accepts values between its limits. */
export const plantOf = async (api: Api) => {
  const points = async (query: string) => (await api<{ Items: Point[] }>('GET', `/Project/DevPara/List?${query}`)).Items
  const read = await until('the plant', async () => (await points('PageSize=1&ParaDataType=7&ReadWriteType=0'))[0], 60_000)
  const writable = await points('PageSize=100&ReadWriteType=1&RegisterType=4')
  const ids = [read, ...writable].map((p) => p.Id).join()
  const placed = await api<{ ParaId: number; ProjectId: number }[]>('GET', `/Alarm/AlarmRule/ParaSearch?ParaIds=${ids}`)
  const projectOf = (p: Point) => placed.find((x) => x.ParaId === p.Id)!.ProjectId
  const set = writable.find((p) => projectOf(p) === projectOf(read))!
  const { Items: tenants } = await api<{ Items: { Id: number }[] }>('GET', '/System/Enterprise/List')
  return {
    read: { id: read.Id, deviceId: read.DeviceId, device: read.DeviceName, point: read.ParaName },
    set: { id: set.Id, device: set.DeviceName, point: set.ParaName, value: set.ProjectLow + (set.ProjectHigh - set.ProjectLow) / 4 },
    tenant: tenants.find((e) => e.Id !== 1)!.Id,
  }
}
