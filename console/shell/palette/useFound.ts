import { useQueries } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { resourceNamed } from '../../../contract/registry.ts'
import { rowsQuery } from '../../kernel/api.ts'
import { type MenuEntry, useSession } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { menuTitle, outsideOf, pages, wayTo } from '../menus.tsx'
import { type Entry, matching } from './recent.ts'

/** Limit of rows per kind. */
const most = 5
type Place = { kind: string; to: string; hint?: string }
/** Resources to search by name or number. The row's id follows `to`. */
const places: readonly Place[] = [
  { kind: 'project', to: '/projectManagement/projectConfig?Id=' },
  { kind: 'gateway', to: '/projectManagement/gatewayPreView?Id=', hint: 'SN' },
  { kind: 'device', to: '/projectManagement/devicePointList?Id=', hint: 'GatewayName' },
]

/** Rows from the server, within the person's permissions. */
const useFoundRows = (typed: string): Entry[] => {
  const codes = useSession((s) => s.session?.codes)
  const asked = (typed ? places : []).flatMap((place) => {
    const resource = resourceNamed(place.kind)
    return resource && codes?.has(resource.permission) ? [{ ...place, resource }] : []
  })
  const answers = useQueries({
    queries: asked.map(({ resource }) => rowsQuery(resource, { PageIndex: 1, PageSize: most, Search: typed })),
  })
  return asked.flatMap(({ resource, kind, to, hint = '' }, at) =>
    (answers[at]?.data?.Items ?? []).map((row) => ({
      kind,
      to: to + row.Id,
      title: String(row[resource.title] ?? ''),
      hint: String(row[hint] ?? ''),
    })),
  )
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

/** Search results of the palette: screens, projects, gateways and devices. */
export const useFound = (menus: MenuEntry[], typed: string): Entry[] => {
  const asked = useDeferredValue(typed.trim().slice(0, 40))
  const screens = useScreens(menus)
  const rows = useFoundRows(asked)
  return asked ? [...matching(screens, asked), ...rows] : screens
}
