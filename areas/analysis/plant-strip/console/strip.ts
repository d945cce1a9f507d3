// Which devices and points the strip shows. Pure.
import { isGone, type ParaInfo } from '../../../../contract/telemetry.ts'

/** Cards of the strip. */
export const mostDevices = 24
const mostValues = 3

export type StripDevice = {
  id: number
  name: string
  status: number
  /** Key values. The first one has the curve. */
  values: ParaInfo[]
}

const isState = (p: ParaInfo) => p.AxisMin === 0 && p.AxisMax === 1 && p.ParaUnitName === ''

/** The default chart points of a device, or else the first that charts may show, measured values before states. */
export const keyValues = (points: readonly ParaInfo[]): ParaInfo[] => {
  const marked = points.filter((p) => p.IsChartShow === 2)
  const shown = marked.length ? marked : points.filter((p) => p.IsChartShow !== 0)
  return [...shown.filter((p) => !isState(p)), ...shown.filter(isState)].slice(0, mostValues)
}

/** One card per device, by name. If there are too many, devices with a problem take precedence. */
export const stripOf = (points: readonly ParaInfo[], troubled: ReadonlySet<number>): { devices: StripDevice[]; total: number } => {
  const all = [...Map.groupBy(points, (p) => p.DeviceId)].map(([id, own]): StripDevice => {
    const { DeviceName: name, DeviceStatus: status } = own[0]!
    return { id, name, status, values: keyValues(own) }
  })
  const isWell = ({ id, status }: StripDevice) => Number(!troubled.has(id) && !isGone(status))
  const byName = (a: StripDevice, b: StripDevice) => a.name.localeCompare(b.name) || a.id - b.id
  const kept = all.length > mostDevices ? all.toSorted((a, b) => isWell(a) - isWell(b) || byName(a, b)).slice(0, mostDevices) : all
  return { devices: kept.toSorted(byName), total: all.length }
}
