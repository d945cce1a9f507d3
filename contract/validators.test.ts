import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idCheck, missing, passes, type Range, ranges, type Validator, validators, violation, whole } from './validators.ts'

const accepts = (name: Validator, ...values: unknown[]) => expect(values.filter((v) => !passes(name, v))).toEqual([])
const refuses = (name: Validator, ...values: unknown[]) => expect(values.filter((v) => passes(name, v))).toEqual([])

const notWhole = [
  '',
  ' ',
  '1.5',
  '1e3',
  '0x10',
  '+1',
  ' 1',
  '1 ',
  '-0',
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  {},
  [1],
  true,
]
const range = (name: Range, min: number, max: number) => {
  expect(ranges[name]).toEqual([min, max])
  accepts(name, min, max, String(min), String(max))
  refuses(name, min - 1, max + 1, String(min - 1), String(max + 1), ...notWhole, '007', '01')
  fc.assert(fc.property(fc.integer(), (n) => passes(name, n) === (n >= min && n <= max) && passes(name, String(n)) === passes(name, n)))
}

describe('whole numbers', () => {
  it('[v-int-31536000000] run from 1 to 31536000000, without sign, decimals or leading zero', () => {
    range('int-31536000000', 1, 31_536_000_000)
    refuses('int-31536000000', '-5', '0', '0.5', '0123')
  })
  it('[v-int-31536000] run from 1 to 31536000', () => range('int-31536000', 1, 31_536_000))
  it('[v-1-255] run from 1 to 255', () => range('1-255', 1, 255))
  it('[v-int32] fit 32 bits with a sign', () => range('int32', -(2 ** 31), 2 ** 31 - 1))
  it('[v-int16] fit 16 bits with a sign', () => range('int16', -(2 ** 15), 2 ** 15 - 1))
  it('[v-digits15] have at most 15 digits', () => {
    range('digits15', -999_999_999_999_999, 999_999_999_999_999)
    fc.assert(fc.property(fc.stringMatching(/^[1-9]\d{0,19}$/), (t) => passes('digits15', t) === t.length <= 15))
  })
  it('[v-uint32] fit 32 bits without a sign', () => range('uint32', 0, 2 ** 32 - 1))
  it('[v-uint16] fit 16 bits without a sign', () => range('uint16', 0, 2 ** 16 - 1))
  it('[v-uint8] fit 8 bits without a sign', () => range('uint8', 0, 2 ** 8 - 1))
  it('[v-port] that name a port run from 1 to 65535', () => range('port', 1, 65_535))
  it('carry the same limits into a field', () => expect(whole('port')).toEqual({ integer: true, min: 1, max: 65_535, validator: 'port' }))
})

const octet = fc.integer({ min: 0, max: 255 })
const address = fc.tuple(octet, octet, octet, octet)

describe('addresses', () => {
  it('[v-ipv4] are four octets without leading zeros', () => {
    fc.assert(fc.property(address, (o) => passes('ipv4', o.join('.'))))
    refuses(
      'ipv4',
      '256.1.1.1',
      '1.1.1',
      '1.1.1.1.1',
      '01.1.1.1',
      '1..1.1',
      '1.1.1.1 ',
      'a.b.c.d',
      '1.1.1.-1',
      '1,1,1,1',
      '::1',
      16_843_009,
    )
  })
  it('[v-gateway] of a default gateway are ones another machine may have', () => {
    accepts('gateway', '192.168.1.1', '10.0.0.254', '223.255.255.254')
    refuses('gateway', '0.0.0.0', '127.0.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.168.1', '192.168.1.300')
    fc.assert(fc.property(address, (o) => passes('gateway', o.join('.')) === (o[0] > 0 && o[0] < 224 && o[0] !== 127)))
  })
  it('[v-dns] of a name server are ones a machine may have, this one included', () => {
    accepts('dns', '8.8.8.8', '127.0.0.53', '192.168.0.1')
    refuses('dns', '0.0.0.0', '224.0.0.251', '255.255.255.255', 'dns.example', '8.8.8')
    fc.assert(fc.property(address, (o) => passes('dns', o.join('.')) === (o[0] > 0 && o[0] < 224)))
  })
  it('[v-subnet] of a subnet mask are ones followed by zeros', () => {
    const mask = (prefix: number) => [24, 16, 8, 0].map((shift) => (((2 ** 32 - 2 ** (32 - prefix)) / 2 ** shift) % 256) | 0).join('.')
    const masks = new Set(Array.from({ length: 32 }, (_, i) => mask(i + 1)))
    expect(masks.size).toBe(32)
    accepts('subnet', ...masks)
    refuses('subnet', '0.0.0.0', '255.0.255.0', '255.255.255.1', '255.255.255.257', '0.255.255.255', '24', '/24')
    fc.assert(fc.property(address, (o) => passes('subnet', o.join('.')) === masks.has(o.join('.'))))
  })
  it('of a host are an address or a name', () => {
    accepts('host', '10.0.0.1', 'plc-7', 'plc.example', 'localhost', '::1', 'fe80::1', '3com.example')
    refuses('host', '999.1.1.1', '10.0.0', 'a b', '-plc', 'plc-', 'plc..example', '::x', 'http://plc', 'x'.repeat(64), '')
  })
})

describe('people and devices', () => {
  it('[v-phone] phone numbers have up to 40 characters, none Chinese or special', () => {
    accepts('phone', '13800138000', '+86 755 1234 5678', '(0755) 12345678', '0755-12345678', '1'.repeat(40))
    refuses('phone', '1'.repeat(41), '电话123', '123#45', '12@3', '1;2', '', '１２３')
  })
  it('[v-contact] a contact is a mobile, a landline with area code, or has a country code', () => {
    accepts(
      'contact',
      '13800138000',
      '19912345678',
      '010-12345678',
      '0755-1234567',
      '+34 912 345 678',
      '+1-202-555-0100',
      '008613800138000',
    )
    refuses(
      'contact',
      '12800138000',
      '1380013800',
      '138001380000',
      '01-12345678',
      '07555-1234567',
      '0755-123456',
      '0755-123456789',
      '+0123456789',
    )
    refuses('contact', '+34', '+1234567890123456', 'call me', '+34 912 345 678 ', '+34--912345678')
  })
  it('[v-contact-messages] a missing contact is asked for, a wrong one is to be corrected', () => {
    expect(missing('contact')).toEqual({ key: 'validator.contact.missing', values: {} })
    expect(violation('contact', '123')).toEqual({ key: 'validator.contact', values: {} })
    expect(violation('contact', '')).toBeUndefined()
    expect(missing('phone')).toBeUndefined()
  })
  it('[v-idcard] ID cards have 15 digits, or 18 with the check digit of GB 11643', () => {
    accepts('idcard', '11010519491231002X', '11010519491231002x', '440524188001010014', '130503670401001')
    refuses(
      'idcard',
      '110105194912310021',
      '1101051949123100',
      '13050367040100X',
      '11010519491231002',
      '11010519491231002Y',
      'X'.repeat(18),
    )
    const digits = fc.stringMatching(/^\d{17}$/)
    fc.assert(fc.property(digits, (d) => [...'0123456789X'].filter((c) => passes('idcard', d + c)).join() === idCheck(d)))
    // The recursive method of ISO 7064, where the product uses the weights.
    const recursive = (d: string) => '0123456789X'[(12 - [...d].reduce((p, c) => ((p + Number(c)) * 2) % 11, 0)) % 11]
    fc.assert(fc.property(digits, (d) => idCheck(d) === recursive(d)))
    // What the check digit is for: one wrong digit is always seen, and so are two neighbours changed round.
    fc.assert(
      fc.property(digits, fc.nat(16), fc.nat(9), (d, at, digit) => {
        const other = d.slice(0, at) + digit + d.slice(at + 1)
        return other === d || !passes('idcard', other + idCheck(d))
      }),
    )
    fc.assert(
      fc.property(digits, fc.nat(15), (d, at) => {
        const other = d.slice(0, at) + d[at + 1] + d[at] + d.slice(at + 2)
        return other === d || !passes('idcard', other + idCheck(d))
      }),
    )
  })
  it('[v-password] the "8-digit password" is a PIN of exactly eight digits', () => {
    accepts('device-pin', '12345678', '00000000', 12_345_678)
    refuses('device-pin', '1234567', '123456789', '1234567a', '１２３４５６７８', ' 2345678')
  })
})

describe('texts', () => {
  it('[v-alnum] of letters, digits and underscores hold nothing else', () => {
    accepts('alnum', 'Pump_1', 'a', '_', '9')
    refuses('alnum', 'Pump-1', 'a b', '泵', 'é', '', 'a\n')
  })
  it('[v-must-chinese] that must contain Chinese have one such character or more', () => {
    accepts('must-chinese', '泵', 'Pump 泵 1', '𠮷')
    refuses('must-chinese', 'Pump', 'ポンプ', '한국', '。', '')
  })
  it('[v-non-chinese] that must not, have none; the two are opposites', () => {
    accepts('non-chinese', 'Pump 1', 'é', '-')
    refuses('non-chinese', '泵', 'Pump泵')
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (t) => passes('non-chinese', t) !== passes('must-chinese', t)))
  })
  it('[v-no-space] without spaces and special symbols are letters, digits and underscores of any script', () => {
    accepts('no-space', 'Pump_1', '水泵1号', 'Válvula', 'ポンプ')
    refuses('no-space', 'Pump 1', 'a-b', 'a/b', '<b>', 'a\u00a0b', 'a\u3000b', 'a\tb', '泵。', '')
  })
})

it('nothing that comes makes a validator throw, and nothing entered is no violation', () => {
  fc.assert(fc.property(fc.constantFrom(...validators), fc.anything(), (name, value) => typeof passes(name, value) === 'boolean'))
  for (const name of validators) for (const empty of ['', null, undefined]) expect(violation(name, empty)).toBeUndefined()
})

it('long texts are judged at once', () => {
  fc.assert(
    fc.property(fc.constantFrom(...validators), fc.constantFrom('1', 'a', '1-', '- ', '1.', ':', '泵'), (name, part) => {
      passes(name, `${part.repeat(20_000)}!`)
    }),
  )
})
