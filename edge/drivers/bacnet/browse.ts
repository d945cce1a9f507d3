import { objectTypes, properties } from '../../../contract/protocols/bacnet.ts'
import { type Browsed, DriverFault } from '../driver.ts'
import { type Property, readAnswer, readBody, service } from './frames.ts'
import { type BacnetLink, Refused } from './link.ts'
import { type Element, objectOf, tag, unsignedOf } from './tags.ts'
import { textOf } from './values.ts'

const [objectList, objectName, units, device] = [76, 77, properties.units!, objectTypes.device!]
/** Maximum objects shown per device. */
const most = 500
const timeoutMs = 2000
const typeNames = new Map(Object.entries(objectTypes).map(([name, number]) => [number, name]))
const isOutput = (type: number) => [1, 2, 4, 5, 14, 19, 45, 46, 48].includes(type)
/** Common units of clause 21. */
const unitNames: Readonly<Record<number, string>> = {
  ...{ 3: 'A', 5: 'V', 19: 'kWh', 27: 'Hz', 29: '%RH', 47: 'W', 48: 'kW', 53: 'Pa', 54: 'kPa', 55: 'bar', 62: '°C', 63: 'K', 64: '°F' },
  ...{ 71: 'h', 72: 'min', 73: 's', 80: 'm³', 82: 'L', 85: 'm³/s', 87: 'L/s', 88: 'L/min', 96: 'ppm', 98: '%', 135: 'm³/h' },
}

/** Browses the devices of the channel, or the objects of a device. */
export const browse = async (link: BacnetLink, instances: readonly number[], below: string | undefined): Promise<Browsed[]> => {
  if (below === undefined) return instances.map((n) => ({ id: `device:${n}`, name: `device:${n}`, hasMore: true }))
  const instance = Number(/^device:(\d+)$/.exec(below)?.[1] ?? Number.NaN)
  if (!instances.includes(instance)) throw new DriverFault('address', `there is no ${below.slice(0, 50)}`)
  const ask = async (of: Property): Promise<Element | undefined> => {
    try {
      return readAnswer(await link.ask(instance, service.readProperty, readBody(of), timeoutMs))[0]
    } catch (error) {
      if (error instanceof Refused) return undefined
      throw error
    }
  }
  const list = (index: number) => ask({ object: device, instance, property: objectList, index })
  const count = await list(0)
  if (!count) throw new DriverFault('refused', 'the device does not list its objects')
  const found: Browsed[] = []
  for (let i = 1; i <= Math.min(unsignedOf(count), most); i++) {
    const entry = await list(i)
    if (entry?.number !== tag.object) continue
    const { object, instance: number } = objectOf(entry)
    const type = typeNames.get(object)
    if (!type || object === device) continue
    const of = { object, instance: number }
    const [name, unit] = [await ask({ ...of, property: objectName }), await ask({ ...of, property: units })]
    const address = `${type}:${number}`
    const unitName = unit && unitNames[unitOf(unit)]
    found.push({
      ...{ id: `${below}/${address}`, name: (name && textOf(name)) ?? address, hasMore: false, address, isWritable: isOutput(object) },
      ...(unitName ? { unit: unitName } : {}),
    })
  }
  return found
}
const unitOf = (found: Element) => (found.number === tag.enumerated ? unsignedOf(found) : -1)
