const prototypes = [Object.prototype, Array.prototype, Function.prototype]
/** They cannot be read of the prototype itself. */
const unreadable = new Set<PropertyKey>(['__proto__', 'caller', 'arguments'])

/** Names and values of what all objects, lists and functions inherit. */
export const inheritedValues = () =>
  prototypes.map((prototype) =>
    Reflect.ownKeys(prototype).map((key) => [key, unreadable.has(key) ? undefined : (prototype as never)[key]] as const),
  )
