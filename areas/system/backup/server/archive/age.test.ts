import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { decrypted, encrypted, isEncrypted, opens } from './age.ts'

const passphrase = 'correct horse battery'
/** Made by age-encryption 0.3.1, the format's own package for JavaScript. */
const theirs = Buffer.from(
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBKOFM1aXhOUVdMTlZFWDN3MlpsUEN3IDEyCjVmVFBNeVRDNHVRSWNkRU5QMnNoL1FuRE5EbldER3B0bXJhdkx3aDk4SzQKLS0tIDRJMXNzalhLN2x2cG8vY1V1U2RTbHVFNXdkSUpYVkR0U1lTSkxLUVNMVHMKZ+AjvcltHGKdYcqZFEoR9MU30/usz0eITCu63cQzl6WmldEdJbqAtVOMGAKlPF803PDOrbtdA73Fvo4=',
  'base64',
)
const whole = async (stream: Readable) => Buffer.concat(await Array.fromAsync(stream))
/** In pieces of a size that fits nothing. */
const pieces = (content: Buffer) =>
  Readable.from(Array.from({ length: Math.ceil(content.length / 7919) }, (_, i) => content.subarray(i * 7919, (i + 1) * 7919)))
const chunk = 64 * 1024

it('reads what another program has encrypted', async () => {
  expect(isEncrypted(theirs)).toBe(true)
  expect(await opens(theirs, passphrase)).toBe(true)
  expect((await whole(decrypted(Readable.from([theirs]), passphrase))).toString()).toBe('Written by another program.')
})

it('gives back what was encrypted, of every length around a chunk', async () => {
  for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk]) {
    const content = randomBytes(length)
    const made = await whole(encrypted(pieces(content), passphrase, 10))
    expect(made.includes(content) && length > 1).toBe(false)
    expect((await whole(decrypted(pieces(made), passphrase))).equals(content), `${length}`).toBe(true)
  }
})

it('opens with no other passphrase, and nothing of one that is changed, cut, turned round or longer', async () => {
  const made = await whole(encrypted(pieces(randomBytes(3 * chunk)), passphrase, 10))
  expect(await opens(made, 'correct horse batterz')).toBe(false)
  await expect(whole(decrypted(pieces(made), 'correct horse batterz'))).rejects.toThrow('backupPassphrase')
  const head = made.length - 3 * (chunk + 16)
  const at = (n: number) => made.subarray(head + n * (chunk + 16), head + (n + 1) * (chunk + 16))
  const flipped = (byte: number) => {
    const other = Buffer.from(made)
    other[byte]! ^= 1
    return other
  }
  const wrong = [
    flipped(head + 10),
    flipped(made.length - 1),
    flipped(60),
    flipped(head - 20),
    made.subarray(0, -1),
    made.subarray(0, head + 2 * (chunk + 16)),
    made.subarray(0, head),
    Buffer.concat([made, Buffer.from('more')]),
    Buffer.concat([made.subarray(0, head), at(1), at(0), at(2)]),
    Buffer.from(made.toString('latin1').replace(' 10\n', ' 30\n'), 'latin1'),
  ]
  for (const [i, content] of wrong.entries()) await expect(whole(decrypted(pieces(content), passphrase)), `${i}`).rejects.toThrow('backup')
})
