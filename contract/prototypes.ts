/**
 * Freezes what all objects, lists and functions inherit, so that nobody can give every one of them a property. The methods become
 * accessors, as under Node's --frozen-intrinsics: an object may still be given an own `toString` or `constructor` by assignment.
 * Each worker thread has prototypes of its own. Error.prototype stays as it is: libraries and Node itself write to errors' names.
 */
export const freezePrototypes = () => {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype]) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (property.configurable && 'value' in property && !(prototype === Array.prototype && name === 'constructor'))
        Object.defineProperty(prototype, name, overridable(prototype, name, property))
    Object.freeze(prototype)
  }
}

const overridable = (prototype: object, name: string, { value, enumerable = false }: PropertyDescriptor): PropertyDescriptor => ({
  get: () => value,
  set(this: object, own: unknown) {
    if (this === prototype) throw new TypeError(`Cannot assign to '${name}' of a frozen prototype`)
    Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true })
  },
  enumerable,
  configurable: false,
})

/** Options for a library, so that what it reads is what we gave: an object that inherits nothing. */
export const withoutPrototype = <T extends object>(options: T): T => Object.assign(Object.create(null), options)

/** Names that lead from an object to what all objects share. Nothing given from outside may use them as a key or as a part of a path. */
const reserved = new Set(['__proto__', 'prototype', 'constructor'])

export const isReservedName = (name: string) => reserved.has(name)

/** An entry of one of our tables by a name from outside; what the table merely inherits (`toString`) is not in it. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  (typeof name === 'string' || typeof name === 'number') && Object.hasOwn(table, name) ? table[name] : undefined
