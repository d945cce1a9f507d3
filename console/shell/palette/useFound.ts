import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { LogicOP, type Page } from '../../../contract/call.ts'
import { resourceNamed } from '../../../contract/registry.ts'
import { queryString, request } from '../../session/request.ts'
import { type MenuEntry, useSession } from '../../session/session.ts'
import { hasWords, useWords, type Words } from '../../words/words.ts'
import { menuTitle, outsideOf, pages, wayTo } from '../menus.tsx'
import { type Entry, matching } from './recent.ts'

/** Rows per kind, typing pause before a search (ms), and minimum number of characters. */
const limits = { rows: 5, pauseMs: 150, characters: 2 }
type Row = { Id: number } & Record<string, unknown>
type Place = { kind: string; fields: readonly string[]; screen: string; to: (row: Row) => string; hint?: string }
const named = (field: string) => (row: Row) => `?q=${encodeURIComponent(String(row[field]))}`
const byId = ({ Id }: Row) => `?Id=${Id}`
/** Resources to search, and the screen that opens a row. */
const places: readonly Place[] = [
  { kind: 'point', fields: ['ParaName'], screen: '/dataAnalysis/realTimeData', to: ({ Id }) => `?points=${Id}`, hint: 'DeviceName' },
  { kind: 'device', fields: ['DeviceName'], screen: '/projectManagement/devicePointList', to: byId, hint: 'GatewayName' },
  { kind: 'gateway', fields: ['GatewayName', 'SN'], screen: '/projectManagement/gatewayPreView', to: byId, hint: 'SN' },
  { kind: 'project', fields: ['ProjectName'], screen: '/projectManagement/projectConfig', to: byId },
  { kind: 'alarmRule', fields: ['RuleName'], screen: '/alarmManagement/alarmRules', to: named('RuleName'), hint: 'ProjectName' },
  { kind: 'alarmInfo', fields: ['RuleName'], screen: '/alarmManagement/alarmInfo', to: ({ Id }) => `?alarm=${Id}`, hint: 'StartTime' },
  { kind: 'user', fields: ['UserName', 'UserNO'], screen: '/systemManagement/user', to: named('UserName'), hint: 'UserNO' },
]

/** Searches a single field for all words in any order, or several fields for the whole text. */
const queryOf = (fields: readonly string[], typed: string) => {
  const texts = fields.length === 1 ? typed.split(/\s+/) : [typed]
  const QueryConditions = fields.flatMap((Field) => texts.map((Value) => ({ Field, Value, LogicOP: LogicOP.resembles })))
  return { PageIndex: 1, PageSize: limits.rows, QueryInfo: { RelOP: fields.length === 1 ? 1 : 2, QueryConditions } }
}

/** Debounces the typed text. Cancels pending searches while the person types. */
const useTyped = (typed: string) => {
  const [asked, ask] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => ask(typed), limits.pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return typed.length < limits.characters ? '' : asked
}

/** Searches permitted lists through their list calls, for screens that the person may open. */
const useFoundRows = (paths: ReadonlySet<string>, typed: string): Entry[] => {
  const codes = useSession((s) => s.session?.codes)
  const asked = useTyped(typed)
  const searched = (asked ? places : []).flatMap((place) => {
    const resource = resourceNamed(place.kind)
    return resource && codes?.has(resource.permission) && paths.has(place.screen) ? [{ ...place, resource }] : []
  })
  const answers = useQueries({
    queries: searched.map(({ resource, fields }) => ({
      queryKey: [[resource.name], 'palette', asked],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        request<Page<Row>>('GET', `${resource.path}/List${queryString(queryOf(fields, asked))}`, undefined, signal),
      meta: { quiet: true },
    })),
  })
  return searched.flatMap(({ resource, kind, fields, screen, to, hint = '' }, at) =>
    (answers[at]?.data?.Items ?? []).map((row) => ({
      kind,
      to: screen + to(row),
      title: String(row[kind === 'alarmInfo' ? fields[0]! : resource.title] ?? ''),
      hint: String(row[hint] ?? ''),
    })),
  )
}

/** Synonyms of a screen or action. */
export const alsoOf = (name: string, t: Words) => (hasWords(`palette.also.${name}`) ? t(`palette.also.${name}`) : '')

const screensOf = (menus: MenuEntry[], t: Words): Entry[] =>
  pages(menus)
    .filter((m) => m.IsVisible !== 0 && !outsideOf(m))
    .map((m) => ({
      kind: 'screen',
      to: m.RoutingAddress,
      title: menuTitle(m, t),
      also: alsoOf(m.MenuEncoding, t),
      hint: wayTo(menus, m.RoutingAddress)
        .slice(0, -1)
        .map((above) => menuTitle(above, t))
        .join(' / '),
    }))

/** Screens and records that match the text, and the URLs that the person may open. */
export const useFound = (menus: MenuEntry[], typed: string) => {
  const t = useWords()
  const asked = typed.trim().slice(0, 40)
  const paths = useMemo(() => new Set(pages(menus).map((m) => m.RoutingAddress)), [menus])
  const screens = useMemo(() => screensOf(menus, t), [menus, t])
  const rows = useFoundRows(paths, asked)
  return { paths, screens: asked ? matching(screens, asked) : screens, rows }
}
