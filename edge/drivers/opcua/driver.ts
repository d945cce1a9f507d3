import { AttributeIds, DataType, VariantArrayType } from 'node-opcua-client'
import { NumericRange } from 'node-opcua-numeric-range'
import { Quality } from '../../../contract/telemetry.ts'
import { type Block, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { browse } from './browse.ts'
import { OpcLink } from './link.ts'
import { listen } from './listening.ts'
import { nodeIdOf, placeOfNode } from './nodes.ts'
import { isBad, isUnknown, readingOfDataValue, valueToWrite } from './values.ts'

type OpcBlock = Block & { timeoutMs: number }

/** CollectType of points whose values arrive on change. */
const collectChange = 2
const browseMs = 10_000
/** Maximum time to subscribe to one point, ms: servers handle a few at a time. */
const subscribeMs = 10
/** Points per block: a server answers larger requests late. Its own limit may be lower. */
const mostPoints = 500

const plan = (points: readonly PointRow[]): OpcBlock[] =>
  Array.from({ length: Math.ceil(points.length / mostPoints) }, (_, i) => {
    const some = points.slice(i * mostPoints, (i + 1) * mostPoints)
    return {
      ...{ points: some, unit: 0, gapMs: Math.max(...some.map((p) => p.IntervalTime)) },
      timeoutMs: Math.max(...some.map((p) => p.Timeout)),
    }
  })

/** Driver for OPC UA servers. */
export const opcua: OpenDriver = (opening): Driver<OpcBlock> => {
  const link = new OpcLink(opening)

  /** Reads each node once, regardless of how many elements of its array are points. */
  const read = async ({ points, timeoutMs }: OpcBlock): Promise<Reading[]> => {
    const { namespaces, limits } = link.now
    const byNode = Map.groupBy(points, (point) => placeOfNode(point).node)
    const nodes = [...byNode].flatMap(([text, some]) => {
      const nodeId = nodeIdOf(text, namespaces)
      return nodeId ? [{ nodeId, some }] : []
    })
    const readings = new Map<PointRow, Reading>()
    for (let at = 0; at < nodes.length; at += limits.read) {
      const asked = nodes.slice(at, at + limits.read)
      const answer = await link.ask(timeoutMs, (session) =>
        session.read(asked.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value }))),
      )
      asked.forEach(({ some }, i) => {
        for (const point of some) readings.set(point, readingOfDataValue(point, placeOfNode(point).index, answer[i]!, false))
      })
    }
    return points.map((point) => readings.get(point) ?? { value: null, quality: Quality.notConfigured })
  }

  const write = async (point: PointRow, value: number) => {
    const { node, index } = placeOfNode(point)
    const nodeId = nodeIdOf(node, link.now.namespaces)
    if (!nodeId) throw new DriverFault('address', 'the server has no such namespace')
    const { statusCode, value: before } = await link.ask(point.Timeout, (session) =>
      session.read({ nodeId, attributeId: AttributeIds.Value }),
    )
    if (isBad(statusCode)) throw new DriverFault(isUnknown(statusCode) ? 'address' : 'refused', statusCode.name)
    const { dataType } = before
    const next = valueToWrite(point, dataType, value)
    const isElement = index !== undefined && before.arrayType !== VariantArrayType.Scalar
    if (isElement !== (before.arrayType !== VariantArrayType.Scalar))
      throw new DriverFault('address', 'an element of an array is written by its [index]')
    const shape = isElement
      ? { dataType, arrayType: VariantArrayType.Array, value: [next] }
      : { dataType, arrayType: VariantArrayType.Scalar, value: next }
    const status = await link.ask(point.Timeout, (session) =>
      session.write({
        ...{ nodeId, attributeId: AttributeIds.Value, value: { value: shape } },
        ...(isElement ? { indexRange: new NumericRange(String(index)) } : {}),
      }),
    )
    if (isBad(status))
      throw new DriverFault(isUnknown(status) ? 'address' : 'refused', `the server answers ${status.name} (${DataType[dataType]})`)
  }

  return {
    plan,
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: () => link.connect(),
    read,
    write,
    close: () => link.close(),
    unitOf: () => 0,
    listens: (point) => point.CollectType === collectChange,
    listen: async (points, arrived) => {
      const lost = () => {
        if (!link.connected) return
        link.close()
        opening.changed()
      }
      await link.ask(browseMs + points.length * subscribeMs, () => listen({ link, points, now: opening.now, arrived, lost }))
    },
    browse: (below) => link.ask(browseMs, () => browse(link, below)),
    trust: (thumbprint) => link.trust(thumbprint),
    trace: (receive) => link.trace(receive),
  }
}

export default opcua
