import { useQueries } from '@tanstack/react-query'
import { Empty, Input, Skeleton, Tree } from 'antd'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { rowsQuery, type Shown, useCall, useRow, useRows } from '../../../../console/kernel/api.ts'
import { type Condition, Shape } from '../../../../console/theme/State.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { type Figure, figureCall } from '../../../../contract/figures.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { devicesByGateway, gatewaysByProject } from '../contract.ts'

export const kinds = { ProjectId: project, GatewayId: gateway, DeviceId: device } as const
export type Kind = keyof typeof kinds
export type Chosen = { kind: Kind; id: number }
type Row = Shown<Resource>
type Node = { key: string; title: React.ReactNode; isLeaf: boolean; children?: Node[]; checkable?: false }
/** Limits of the tree: projects, gateways of a project, and devices of a gateway; and search results. */
const [most, mostFound] = [1000, 20]
const below: Partial<Record<Kind, Kind>> = { ProjectId: 'GatewayId', GatewayId: 'DeviceId' }
const keyOf = (kind: Kind, id: unknown) => `${kind}/${id}`
const parse = (key: string): Chosen => {
  const [kind, id] = key.split('/')
  return { kind: kind as Kind, id: Number(id) }
}

/** Rows by name, in natural order: Pump 2 before Pump 10. */
const inOrder = (kind: Kind, rows: readonly Row[]) => {
  const { compare } = new Intl.Collator(language(), { numeric: true })
  const nameOf = (row: Row) => String(row[kinds[kind].title])
  return rows.toSorted((a, b) => compare(nameOf(a), nameOf(b)))
}

const gatewayStates: Record<number, Condition> = { 0: 'offline', 2: 'offline' }
const deviceStates: Record<number, Condition> = { 0: 'offline', 2: 'alarm', 3: 'offline' }
const stateOf = (kind: Kind, row: Row): { is: Condition; word: string } => {
  if (kind === 'GatewayId')
    return { is: gatewayStates[Number(row.OnlineStatus)] ?? 'normal', word: `gateway.OnlineStatus.${row.OnlineStatus}` }
  return { is: deviceStates[Number(row.Status)] ?? 'normal', word: `device.Status.${row.Status}` }
}

/** State, name, and number of gateways or devices below. */
const Label = ({ kind, row, count, offline = 0 }: { kind: Kind; row: Row; count?: number | undefined; offline?: number }) => {
  const t = useWords()
  const { is, word } =
    kind === 'ProjectId' ? { is: offline ? ('offline' as const) : ('normal' as const), word: 'tree.offline' } : stateOf(kind, row)
  const many = kind === 'ProjectId' ? 'tree.gateways' : 'tree.devices'
  return (
    <span className={`plant-node state-${is}`}>
      <Shape is={is} label={t(word, { count: offline })} />
      <span className="plant-name">{String(row[kinds[kind].title])}</span>
      {count !== undefined && (
        <span className="plant-count" title={t(many, { count })}>
          {offline > 0 ? `${count - offline}/${count}` : count}
        </span>
      )}
    </span>
  )
}

const useCountsOf = (f: Figure) => {
  const { data } = useCall(figureCall(f), { of: [f.of.name] })
  return useMemo(() => {
    const items = (data as { Items: Record<string, number>[] } | undefined)?.Items ?? []
    return new Map(items.map((item) => [item[f.key!], item.Count!]))
  }, [data, f])
}

/** Projects, gateways and devices whose names contain a text. */
const useFound = (text: string) => {
  const query = { PageIndex: 1, PageSize: mostFound, Search: text }
  const enabled = text !== ''
  const of = (rows: readonly Row[] | undefined, kind: Kind) => (rows ?? []).map((row) => ({ kind, row }))
  const [projects, gateways, devices] = [
    useRows(project, query, { enabled }),
    useRows(gateway, query, { enabled }),
    useRows(device, query, { enabled }),
  ]
  return {
    isPending: enabled && [projects, gateways, devices].some((one) => !one.data),
    found: enabled
      ? [...of(projects.data?.Items, 'ProjectId'), ...of(gateways.data?.Items, 'GatewayId'), ...of(devices.data?.Items, 'DeviceId')]
      : undefined,
  }
}

/** The rows below each open node. They load when their node opens, and follow changes. */
const useBelow = (open: readonly string[]) => {
  const parents = open.map(parse).filter(({ kind }) => below[kind])
  const answers = useQueries({
    queries: parents.map(({ kind, id }) => rowsQuery(kinds[below[kind]!] as Resource, { PageIndex: 1, PageSize: most, [kind]: id })),
  })
  return new Map(parents.map(({ kind, id }, i) => [keyOf(kind, id), answers[i]!.data?.Items]))
}

/** Opens the branch of the selection. */
const useBranch = (chosen: Chosen | undefined, open: (keys: string[]) => void) => {
  const idOf = (kind: Kind) => (chosen?.kind === kind ? chosen.id : undefined)
  const { data: chosenDevice } = useRow(device, idOf('DeviceId'))
  const { data: chosenGateway } = useRow(gateway, chosenDevice?.GatewayId ?? idOf('GatewayId'))
  const at = chosenGateway && [keyOf('ProjectId', chosenGateway.ProjectId), keyOf('GatewayId', chosenGateway.Id)]
  useEffect(() => {
    if (at) open(at)
  }, [at?.join()])
}

/** The plant as a tree: projects, their gateways and devices, with states and counts. */
export const PlantTree = ({ chosen, choose }: { chosen: Chosen | undefined; choose: (one: Chosen) => void }) => {
  const t = useWords()
  const [typed, type] = useState('')
  const text = useDeferredValue(typed.trim())
  const [open, setOpen] = useState<readonly string[]>([])
  useBranch(chosen, (keys) => setOpen((old) => [...new Set([...old, ...keys])]))
  const { data, error } = useRows(project, { PageIndex: 1, PageSize: most })
  const offline = useRows(gateway, { PageIndex: 1, PageSize: most, OnlineStatus: 0 }).data?.Items
  const [gateways, devices] = [useCountsOf(gatewaysByProject), useCountsOf(devicesByGateway)]
  const children = useBelow(open)
  const { found, isPending } = useFound(text)

  const offlineIn = (id: number) => offline?.filter((row) => row.ProjectId === id).length ?? 0
  const node = (kind: Kind, row: Row, isFlat = false): Node => {
    const key = keyOf(kind, row.Id)
    const next = isFlat ? undefined : below[kind]
    const counts = { ProjectId: gateways, GatewayId: devices, DeviceId: undefined }[kind]
    return {
      key,
      title: (
        <Label kind={kind} row={row} count={counts && (counts.get(row.Id) ?? 0)} offline={kind === 'ProjectId' ? offlineIn(row.Id) : 0} />
      ),
      isLeaf: !next || counts?.get(row.Id) === undefined,
      ...(next && children.get(key) ? { children: inOrder(next, children.get(key)!).map((one) => node(next, one)) } : {}),
    }
  }
  const tree = found
    ? found.map(({ kind, row }) => node(kind, row, true))
    : inOrder('ProjectId', data?.Items ?? []).map((row) => node('ProjectId', row))
  if (error) return null
  return (
    <nav aria-label={t('tree.title')} className="plant-tree">
      <Input.Search
        allowClear
        size="small"
        placeholder={t('tree.search')}
        aria-label={t('tree.search')}
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      {!data || isPending ? (
        <Skeleton active title={false} />
      ) : tree.length ? (
        <Tree
          blockNode
          virtual={false}
          treeData={tree}
          expandedKeys={[...open]}
          onExpand={(keys) => setOpen(keys.map(String))}
          selectedKeys={chosen ? [keyOf(chosen.kind, chosen.id)] : []}
          onSelect={(_, { node: { key } }) => choose(parse(String(key)))}
        />
      ) : (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('list.nothingFound')} />
      )}
    </nav>
  )
}
