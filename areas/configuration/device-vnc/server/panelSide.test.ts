import { describe, expect, it } from 'vitest'
import { des, vncResponse } from './panelSide.ts'

describe('VNC authentication', () => {
  it('encrypts with single DES, as the known example shows', () => {
    const [key, block] = ['133457799bbcdff1', '0123456789abcdef'].map((hex) => Buffer.from(hex, 'hex'))
    expect(des(key!, block!).toString('hex')).toBe('85e813540f0ab405')
  })

  it('mirrors the bytes of a password and uses its first eight', () => {
    const challenge = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    expect(vncResponse('password', challenge)).toEqual(vncResponse('password and more', challenge))
    // p, a, s, s, w, o, r, d from their lowest bits.
    expect(vncResponse('password', challenge)).toEqual(des(Buffer.from('0e86ceceeef64e26', 'hex'), challenge))
  })
})
