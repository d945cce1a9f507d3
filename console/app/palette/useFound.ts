import { useDeferredValue } from 'react'
import { device } from '../../../contract/areas/devices.ts'
import { gateway } from '../../../contract/areas/gateways.ts'
import { project } from '../../../contract/areas/projects.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { useRows } from '../../resource/api.ts'
import { type MenuEntry, useMay } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { menuTitle, outsideOf, pages, wayTo } from '../menus.tsx'
import { type Entry, matching } from './recent.ts'

const most = 5
type Place = { resource: Resource; permission: string; kind: string; to: (id: number) => string; hint: string }
const gateways: Place = {
  resource: gateway as unknown as Resource,
  permission: 'm10102',
  kind: 'gateway',
  to: (id) => `/projectManagement/gatewayPreView?Id=${id}`,
  hint: 'SN',
}
const devices: Place = {
  resource: device as unknown as Resource,
  permission: 'm10103',
  kind: 'device',
  to: (id) => `/projectManagement/devicePointList?Id=${id}`,
  hint: 'GatewayName',
}
const projects: Place = {
  resource: project as unknown as Resource,
  permission: 'm10101',
  kind: 'project',
  to: (id) => `/projectManagement/projectConfig?Id=${id}`,
  hint: '',
}

/** Rows of one resource that the server finds by name or number. */
const useResource = ({ resource, permission, kind, to, hint }: Place, typed: string): Entry[] => {
  const enabled = useMay(permission) && typed.length > 0
  const { data } = useRows(resource, { PageIndex: 1, PageSize: most, Search: typed }, { enabled })
  if (!enabled) return []
  return (data?.Items ?? []).map((row) => ({
    kind,
    to: to(Number(row.Id)),
    title: String(row[resource.title] ?? ''),
    hint: String(row[hint] ?? ''),
  }))
}

const useScreens = (menus: MenuEntry[]): Entry[] => {
  const t = useWords()
  return pages(menus)
    .filter((m) => m.IsVisible !== 0 && !outsideOf(m))
    .map((m) => ({
      kind: 'screen',
      to: m.RoutingAddress,
      title: menuTitle(m, t),
      hint: wayTo(menus, m.RoutingAddress)
        .slice(0, -1)
        .map((above) => menuTitle(above, t))
        .join(' / '),
    }))
}

/** Screens, projects, gateways and devices for what is typed. */
export const useFound = (menus: MenuEntry[], typed: string): Entry[] => {
  const asked = useDeferredValue(typed.trim().slice(0, 40))
  const screens = useScreens(menus)
  const rows = [useResource(projects, asked), useResource(gateways, asked), useResource(devices, asked)].flat()
  return asked ? [...matching(screens, asked), ...rows] : screens
}
