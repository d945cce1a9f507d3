// What a script finds in its world, as text that QuickJS reads. No clock, chance, file or network is among it.
import { checksum, checksums } from '../contract/parsing/checksum.ts'
import { longestLine, mostLines } from './limits.ts'

/** Of QuickJS's own; what it brings beside them is taken away, as its `performance` is. */
const known = [
  ...[
    'Object',
    'Function',
    'Array',
    'String',
    'Number',
    'Boolean',
    'Symbol',
    'BigInt',
    'Math',
    'JSON',
    'Date',
    'RegExp',
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
  ],
  ...[
    'Proxy',
    'Reflect',
    'Promise',
    'Iterator',
    'ArrayBuffer',
    'DataView',
    'Uint8Array',
    'Int8Array',
    'Uint8ClampedArray',
    'Uint16Array',
    'Int16Array',
  ],
  ...[
    'Uint32Array',
    'Int32Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
    'Error',
    'EvalError',
    'RangeError',
    'ReferenceError',
  ],
  ...[
    'SyntaxError',
    'TypeError',
    'URIError',
    'AggregateError',
    'InternalError',
    'NaN',
    'Infinity',
    'undefined',
    'globalThis',
    'eval',
    'parseInt',
    'parseFloat',
  ],
  ...['isNaN', 'isFinite', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'],
]

const readers = `
  const at = (b, from, length) => {
    if (!Number.isInteger(from) || from < 0 || from + length > b.length) throw new RangeError('byte ' + from + ' to ' + (from + length - 1) + ' of ' + b.length)
  }
  const scratch = new DataView(new ArrayBuffer(8))
  // Orders are those of point tables: ABCD, DCBA, BADC, CDAB.
  const load = (b, from, length, order = 'ABCD') => {
    at(b, from, length)
    for (let i = 0; i < length; i++) {
      const is = order === 'DCBA' ? length - 1 - i : order === 'BADC' ? i ^ 1 : order === 'CDAB' ? length - 2 - (i & ~1) + (i & 1) : i
      scratch.setUint8(i, b[from + is])
    }
    return scratch
  }
  const whole = (n) => {
    if (n > 9007199254740991n || n < -9007199254740991n) throw new RangeError('beyond 2^53')
    return Number(n)
  }
  const read = {
    u8: (b, i) => load(b, i, 1).getUint8(0), i8: (b, i) => load(b, i, 1).getInt8(0),
    u16: (b, i, o) => load(b, i, 2, o === 'DCBA' || o === 'BADC' ? 'DCBA' : 'ABCD').getUint16(0), i16: (b, i, o) => load(b, i, 2, o === 'DCBA' || o === 'BADC' ? 'DCBA' : 'ABCD').getInt16(0),
    u32: (b, i, o) => load(b, i, 4, o).getUint32(0), i32: (b, i, o) => load(b, i, 4, o).getInt32(0),
    u64: (b, i, o) => whole(load(b, i, 8, o).getBigUint64(0)), i64: (b, i, o) => whole(load(b, i, 8, o).getBigInt64(0)),
    f32: (b, i, o) => load(b, i, 4, o).getFloat32(0), f64: (b, i, o) => load(b, i, 8, o).getFloat64(0),
    bcd: (b, from, length, o) => {
      at(b, from, length)
      let n = 0
      for (let i = 0; i < length; i++) {
        const byte = b[o === 'DCBA' ? from + length - 1 - i : from + i]
        if (byte >> 4 > 9 || (byte & 15) > 9) throw new RangeError('no BCD at byte ' + from)
        n = n * 100 + (byte >> 4) * 10 + (byte & 15)
      }
      return n
    },
    bit: (n, i) => (n >>> i) & 1,
    text: (b, from = 0, to = b.length) => {
      let s = ''
      for (let i = from; i < to && i < b.length; i++) s += String.fromCharCode(b[i])
      try { return decodeURIComponent(escape(s)) } catch { return s }
    },
    hex: (b) => Array.from(b, (n) => (n < 16 ? '0' : '') + n.toString(16)).join('')
  }
  const fromHex = (s) => {
    const clean = String(s).replace(/\\s+/g, '')
    if (clean.length % 2 || /[^0-9a-f]/i.test(clean)) throw new RangeError('not hex')
    return Uint8Array.from({ length: clean.length / 2 }, (_, i) => parseInt(clean.slice(2 * i, 2 * i + 2), 16))
  }`

/** Searches that QuickJS cannot interrupt: those that would take long are refused. */
const bounded = `
  const guard = (proto, name, cost) => {
    const own = proto[name]
    Object.defineProperty(proto, name, { writable: true, configurable: true, value: function (...given) {
      if (cost(this, given[0]) > 5e7) throw new RangeError(name + ' would take too long')
      return apply(own, this, given)
    } })
  }
  const product = (s, of) => (typeof s === 'string' && typeof of === 'string' ? s.length * of.length : 0)
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']) guard(String.prototype, name, product)
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'join', 'reverse', 'fill', 'copyWithin', 'sort', 'slice', 'splice', 'concat', 'unshift', 'shift', 'flat', 'toString', 'toLocaleString', 'toSorted', 'toReversed'])
    if (Array.prototype[name]) guard(Array.prototype, name, (list) => (Array.isArray(list) || !list ? (list ? list.length : 0) : Number(list.length) || 0))
  guard(String.prototype, 'normalize', (s) => String(s).length * 50)
  guard(BigInt.prototype, 'toString', (n) => (n > 1n << 20000n || n < -(1n << 20000n) ? Infinity : 0))`

/**
 * Evaluates to a function that calls a script's function and returns a text: '=' and JSON of the result, '!' and what it threw, '?' where
 * the message is no JSON, '~' for a promise. In a test, a second line is JSON of what the script wrote.
 */
export const prelude = `(() => {
  'use strict'
  const { parse, stringify } = JSON
  const { apply, construct } = Reflect
  const OwnDate = Date
  // A Date of a given time is welcome; what time it is, is not told.
  const SafeDate = function Date(...given) {
    if (!new.target || !given.length) throw new Error('scripts have no clock: use meta.time')
    return construct(OwnDate, given, new.target === SafeDate ? OwnDate : new.target)
  }
  SafeDate.prototype = OwnDate.prototype
  OwnDate.prototype.constructor = SafeDate
  SafeDate.parse = OwnDate.parse
  SafeDate.UTC = OwnDate.UTC
  globalThis.Date = SafeDate
  delete Math.random
  const names = new Set(${JSON.stringify(known)})
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!names.has(name)) delete globalThis[name]
  ${bounded}
  ${readers}
  const sum = ${checksum}
  const crc = Object.fromEntries(${JSON.stringify(checksums)}.map((kind) => [kind, (b, from, to) => sum(kind, b, from, to)]))
  let lines
  const write = (...given) => {
    if (!lines || lines.length >= ${mostLines}) return
    const text = (one) => typeof one === 'string' ? one : one instanceof Uint8Array ? read.hex(one) : one instanceof Error ? String(one) : stringify(one) ?? String(one)
    lines.push(given.map(text).join(' ').slice(0, ${longestLine}))
  }
  Object.assign(globalThis, { read, crc, fromHex, log: write, console: { log: write, info: write, warn: write, error: write, debug: write } })
  const short = (text, length) => (typeof text === 'string' ? text.slice(0, length) : '')
  const failed = (e) => {
    if (!(e instanceof Error)) return '!' + stringify({ name: 'Error', message: short(String(e), 300), stack: '' })
    return '!' + stringify({ name: short(e.name, 60), message: short(e.message, 300), stack: short(e.stack, 2000) })
  }
  const plain = (result) => result && result.payload instanceof Uint8Array ? { ...result, payload: { hex: read.hex(result.payload) } } : result
  const called = (fn, kind, head, payload) => {
    try {
      const { topic, meta, write } = parse(head)
      let given = payload
      if (kind === 'json') try { given = parse(payload) } catch (e) { return '?' + short(e.message, 200) }
      if (kind === 'bytes') given = new Uint8Array(payload)
      const result = kind === 'write' ? plain(fn(write)) : fn(topic, given, meta)
      if (result instanceof Promise) return '~'
      const text = stringify(result)
      return '=' + (text === undefined ? 'null' : text)
    } catch (e) {
      return failed(e)
    }
  }
  return (fn, kind, head, payload, isTest) => {
    lines = isTest ? [] : undefined
    const answer = called(fn, kind, head, payload)
    return lines ? answer + '\\n' + stringify(lines) : answer
  }
})()`
