// The calls that a server serves, and requests to them with ids of somebody's choosing: the calls come from the server itself, their
// fields from the contract, so a call is covered the day it is added.

import { linkTables, resources } from '../areas/index.ts'
import { log } from '../areas/system/logs/contract.ts'
import { linkField } from '../contract/links.ts'
import { joined, type Resource } from '../contract/resource.ts'
import { isRisky, type Schema, sample } from './two-tenants.samples.ts'

export type Operation = { name: string; method: string; path: string; permission: string; reads: boolean; body?: Schema; query?: Schema }

type Parameter = { in: string; name: string; schema: Schema }
export const served = async (origin: string, token: string): Promise<Operation[]> => {
  const api = (await (await fetch(`${origin}/api/openapi.json`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
    paths: Record<
      string,
      Record<
        string,
        {
          'x-permission': string
          'x-reads'?: boolean
          parameters?: Parameter[]
          requestBody?: { content: Record<string, { schema: Schema }> }
        }
      >
    >
  }
  return Object.entries(api.paths).flatMap(([url, verbs]) =>
    Object.entries(verbs).map(([verb, o]) => {
      const [method, path] = [verb.toUpperCase(), url.replace(/^\/api/, '')]
      const query = o.parameters?.filter((p) => p.in === 'query')
      return {
        name: `${method} ${path}`,
        method,
        path,
        permission: o['x-permission'],
        reads: o['x-reads'] === true,
        ...(query?.length ? { query: { properties: Object.fromEntries(query.map((p) => [p.name, p.schema])) } } : {}),
        ...(o.requestBody ? { body: Object.values(o.requestBody.content)[0]!.schema } : {}),
      }
    }),
  )
}

/** The log is no resource of the kernel: its entries are changes. */
const paths = [...resources, log].flatMap((r) => [r.path, ...r.aliases].map((path) => ({ r, path })))
const longestFirst = paths.toSorted((a, b) => b.path.length - a.path.length).map(({ r, path }) => ({ r, path: path.toLowerCase() }))
const known = new Map<string, Resource | undefined>()
/** The resource a path is about: `Id` is one of its. */
export const resourceOf = (path: string) => {
  const plain = path.replace(/^\/V2/, '').toLowerCase()
  if (!known.has(plain)) known.set(plain, longestFirst.find((p) => plain.startsWith(p.path))?.r)
  return known.get(plain)
}
const refs = new Map([
  ...resources.flatMap((r) => joined(r).map(([, field, to]) => [field, to] as const)),
  ...linkTables.map(({ from }) => [linkField(from), from.name] as const),
])
const more: Record<string, string> = {
  AlmInfoId: 'alarmInfo',
  ParaIds: 'point',
  PointIds: 'point',
  GatewayIds: 'gateway',
  DeviceIds: 'device',
  EquipmentIds: 'mtnEquipment',
  MsgIds: 'notice',
  OrganIds: 'organ',
  OrganId: 'organ',
  RoleIds: 'role',
  RoleId: 'role',
  PersonId: 'user',
  ProjectIds: 'project',
  UserIds: 'user',
  UserId: 'user',
  OrderIds: 'mtnMaintenanceOrder',
  EnergyInfoIds: 'energyInfo',
  MemberIds: 'coldStorage',
  TargetEnergyInfoId: 'energyInfo',
  TargetParaId: 'point',
  RobotId: 'dingRobot',
  DataPermissionIds: 'dataPermission',
  PostIds: 'post',
  CopyOf: 'role',
  PushUsers: 'user',
  Users: 'user',
}
/** Names that look like ids and are none of ours: choices, and the account of somebody else's sign-in. */
const notIds = /^((Gateway|GatewaySub|Sub)TypeId|UnionId|TemplateId|\w*AppId|SmsKeyId)$/
export const isId = (name: string) => /^(Id|Ids|\w+Ids?|CopyOf)$/.test(name) && !notIds.test(name)
/** People whom a value names somewhere within, as addressees and shifts do. */
const within = (s: Schema | undefined): string[] =>
  Object.entries(s?.properties ?? {}).flatMap(([name, of]) => (/^(Push)?Users$/.test(name) ? [name] : nested(of)))
const nested = (s: Schema | undefined): string[] => [...within(s), ...[...(s?.items ? [s.items] : []), ...(s?.anyOf ?? [])].flatMap(nested)]

/** What the ids of paths are that are not a resource's own. */
const tasks: [RegExp, string][] = [
  [/^\/Project\/ImportExportTask/, 'importExportTask'],
  [/^\/System\/Menu\b/, 'menu'],
  [/^\/Alarm\/GatewayAlarmInfo/, 'alarmInfo'],
]
/** Which resource an id names. Throws for resources unknown to this suite. */
export const meaning = (o: Operation, name: string): string => {
  if (name === 'EnterpriseId') return name
  const task = tasks.find(([path]) => path.test(o.path))?.[1]
  const resource = name === 'Id' || name === 'Ids' ? (task ?? resourceOf(o.path)?.name) : (refs.get(name) ?? more[name])
  if (!resource) throw new Error(`${o.name}: nobody knows what ${name} is the id of.`)
  return resource
}

export const isList = (o: Operation) => /List$/.test(o.path)
/** Parameters in the path, in braces. */
const placesOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
/** Resource calls that take anything: their ids are those of ruling 9 and 12. */
export const idsOf = (o: Operation): string[] => {
  const named = [...[o.body, o.query].flatMap((s) => Object.keys(s?.properties ?? {})).filter(isId), ...nested(o.body)]
  const resource = resourceOf(o.path)
  const inPath = placesOf(o).filter((name) => name === 'id' || isId(name))
  if (inPath.length) return inPath.map((name) => (name === 'id' ? 'Id' : name))
  if (named.length || !resource) return [...new Set(named)]
  if (o.method === 'DELETE') return ['Id', 'Ids']
  if (isList(o)) return ['Id', ...joined(resource).map(([, field]) => field)]
  return []
}

const asId = (name: string, s: Schema | undefined, id: number) => (/Ids$/.test(name) ? (!s || s.type === 'array' ? [id] : String(id)) : id)

/** A value that names this person wherever it can. */
const holding = (name: string, s: Schema, person: number): unknown => {
  if (/^(Push)?Users$/.test(name)) return [person]
  const one = s.anyOf?.find((a) => a.type !== 'null') ?? s
  if (one.type === 'array') return nested(one).length || (one.minItems ?? 0) > 0 ? [holding('', one.items!, person)] : []
  if (one.properties)
    return Object.fromEntries(
      Object.entries(one.properties)
        .filter(([key, of]) => one.required?.includes(key) || /^(Push)?Users$/.test(key) || nested(of).length)
        .map(([key, of]) => [key, holding(key, of, person)]),
    )
  if (one.pattern?.startsWith('^([01]')) return name === 'End' ? '14:00' : '06:00'
  return sample('', one)
}

/** The second of two ids of which a call takes one. */
const isSecond = (o: Operation, name: string) => o.path === '/electricity/specific-period' && name === 'ParaId'
/** Questions that have no answer without hours of readings, or a model: analytics.test.ts and models.test.ts ask them. */
export const needsReadings = ({ path }: Operation) =>
  /^\/(electricity\/(histogram|feature-importance)|matrix\/|apriori\/|endpoints\/predict)/.test(path)

export type Request = { path: string; body?: unknown; sheet?: true }
/** A request whose ids are what `id` says. */
export const fill = (o: Operation, id: (name: string) => number | undefined): Request => {
  const values = (schema: Schema | undefined, free: readonly string[]) => {
    const all: Record<string, unknown> = {}
    for (const name of new Set([...Object.keys(schema?.properties ?? {}), ...free])) {
      // A wrong stamp refuses a change before its fields are looked at.
      if (name === 'UpdateStamp' || isSecond(o, name)) continue
      const value = isId(name) ? id(name) : undefined
      const of = schema?.properties?.[name]
      const people = nested(of)[0]
      if (!isId(name) && isRisky(name, of!, schema?.required)) continue
      if (!isId(name)) all[name] = people && id(people) ? holding(name, of!, id(people)!) : sample(name, of!)
      else if (value !== undefined) all[name] = asId(name, of, value)
    }
    return all
  }
  const named = [o.body, o.query].some((s) => Object.keys(s?.properties ?? {}).length)
  const free = named ? [] : idsOf(o)
  const hasBody = o.body !== undefined && o.method !== 'GET'
  // As csv, which can be searched for names; a workbook would need a worker.
  const query = { ...values(o.query, hasBody ? [] : free), ...(/\/(Output|Template)$/.test(o.path) ? { Format: 'csv' } : {}) }
  const path = o.path.replace(/\{(\w+)\}/g, (_, name: string) => (isId(name) || name === 'id' ? `${id(name === 'id' ? 'Id' : name)}` : '1'))
  const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()
  return {
    path: text ? `${path}?${text}` : path,
    ...(hasBody ? { body: values(o.body, free) } : {}),
    ...(/\/(Import|Layout)$/.test(o.path) ? { sheet: true as const } : {}),
  }
}

/** `helper` is somebody who may fetch the sheet that an import starts with. */
export const ask = async (
  origin: string,
  helper: string,
  token: string | undefined,
  o: Operation,
  request: Request,
  more: Record<string, string> = {},
) => {
  const headers: Record<string, string> = { ...more, 'accept-language': 'en', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  let body: string | FormData | undefined
  if (request.sheet) {
    const empty = await fetch(`${origin}/api${o.path.replace(/(Import|Layout)$/, 'Template?Format=csv')}`, {
      headers: { 'accept-language': 'en', authorization: `Bearer ${helper}` },
    })
    body = new FormData()
    body.append('file', await empty.blob(), 'list.csv')
  } else if (request.body !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(request.body)
  }
  const answer = await fetch(`${origin}/api${request.path}`, { method: o.method, headers, ...(body ? { body } : {}) })
  const text = await answer.text()
  const wrapper = text.startsWith('{')
    ? (JSON.parse(text) as { Succeeded: boolean; StatusCode: number; Details?: { RequestId?: string; Fault?: string } })
    : undefined
  return { status: answer.status, text, wrapper, code: wrapper?.StatusCode ?? answer.status }
}
