import {
  AttributeIds,
  BrowseDirection,
  type ClientSession,
  makeBrowsePath,
  NodeClass,
  type NodeId,
  type ReferenceDescription,
} from 'node-opcua-client'
import { type Browsed, DriverFault } from '../driver.ts'
import type { OpcLink } from './link.ts'
import { nodeIdOf, textOfNode } from './nodes.ts'
import { isBad } from './values.ts'

/** The objects folder, and the references to follow (Part 5). */
const [objects, hierarchical] = ['i=85', 'i=33']
/** Maximum children shown. */
const most = 500
/** AccessLevel, Part 3, 8.57: readable, and writable. */
const writable = 2

const childrenOf = async (session: ClientSession, nodeId: NodeId) => {
  const found: ReferenceDescription[] = []
  let result = await session.browse({
    ...{ nodeId, referenceTypeId: hierarchical, includeSubtypes: true, browseDirection: BrowseDirection.Forward },
    ...{ nodeClassMask: NodeClass.Object | NodeClass.Variable, resultMask: 63 },
  })
  if (isBad(result.statusCode)) throw new DriverFault('address', `the server answers ${result.statusCode.name}`)
  const take = () => {
    for (const reference of result.references ?? []) if (found.length < most) found.push(reference)
  }
  take()
  // A server that never ends its answer gets at most as many requests as for children one by one.
  for (let asked = 0; result.continuationPoint?.length && asked <= most; asked++) {
    const isEnough = found.length >= most || asked === most
    result = await session.browseNext(result.continuationPoint, isEnough)
    if (isEnough) break
    take()
  }
  return found
}

/** Sends requests in batches of the size that the server accepts. */
const inTurns = async <T, R>(list: readonly T[], size: number, ask: (some: T[]) => Promise<R[]>): Promise<R[]> => {
  const answers: R[] = []
  for (let at = 0; at < list.length; at += size) answers.push(...(await ask(list.slice(at, at + size))))
  return answers
}
const attributeOf = (attributeId: AttributeIds) => (nodeId: NodeId) => ({ nodeId, attributeId })

/** Units of variables that have a unit property (Part 8). */
const unitsOf = async (session: ClientSession, nodes: readonly NodeId[], most: number): Promise<Map<NodeId, string>> => {
  const paths = await inTurns(nodes, most, (some) =>
    session.translateBrowsePath(some.map((node) => makeBrowsePath(node, '.EngineeringUnits'))),
  )
  const known = paths.flatMap(({ targets }, i) => (targets?.[0] ? [{ of: nodes[i]!, property: targets[0].targetId }] : []))
  const properties = known.map(({ property }) => property)
  const values = await inTurns(properties, most, (some) => session.read(some.map(attributeOf(AttributeIds.Value))))
  return new Map(
    known.flatMap(({ of }, i) => {
      const text: unknown = values[i]?.value?.value?.displayName?.text
      return typeof text === 'string' && text ? [[of, text] as const] : []
    }),
  )
}

/** The children of a node; without one, of the objects folder. */
export const browse = async (link: OpcLink, below: string | undefined): Promise<Browsed[]> => {
  const { session, namespaces, limits } = link.now
  const from = nodeIdOf(below ?? objects, namespaces)
  if (!from) throw new DriverFault('address', 'the server has no such namespace')
  const children = await childrenOf(session, from)
  const variables = children.filter(({ nodeClass }) => nodeClass === NodeClass.Variable).map(({ nodeId }) => nodeId)
  const levels = await inTurns(variables, limits.read, (some) => session.read(some.map(attributeOf(AttributeIds.UserAccessLevel))))
  const units = await unitsOf(session, variables, limits.read)
  const levelOf = new Map(variables.map((nodeId, i) => [nodeId, Number(levels[i]?.value?.value ?? 0)]))
  return children.map(({ nodeId, displayName, browseName }) => {
    const id = textOfNode(nodeId, namespaces)
    const name = displayName.text ?? browseName.name ?? id
    const [level, unit] = [levelOf.get(nodeId), units.get(nodeId)]
    if (level === undefined) return { id, name, hasMore: true }
    return { id, name, hasMore: true, address: id, isWritable: (level & writable) > 0, ...(unit === undefined ? {} : { unit }) }
  })
}
