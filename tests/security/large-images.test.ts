// Pictures of a megabyte that take hundreds of them to unpack. The server is a process of its own, so that its memory is its own.
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { ownServer } from '../faults/own-server.ts'

const own = ownServer()
const mb = 2 ** 20
/** A JPEG that is unpacked as a whole. No two are alike. */
const progressive = (width: number, height: number, mark: number) => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = mark; i < pixels.length; i += 997) pixels[i] = i & 255
  const raw = { width, height, channels: 3 } as const
  return sharp(pixels, { raw }).jpeg({ quality: 40, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()
}
const upload = async (content: Buffer) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(content)], 'face.jpg'))
  const headers = { authorization: `Bearer ${own.door.admin}`, 'accept-language': 'en' }
  const answer = await fetch(`${own.process.origin}/api/System/File/Upload?Purpose=avatar`, { method: 'POST', headers, body })
  return (await answer.json()) as Wrapper
}
let pictures: Buffer[]
beforeAll(async () => {
  pictures = await Promise.all(Array.from({ length: 10 }, (_, i) => progressive(4000, 3900, i)))
}, 400_000)

test('a person who sends large pictures at once takes the memory of one, and gives it back', async () => {
  await upload(pictures[0]!)
  const before = own.resident()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, own.resident())
  }, 50)
  const answers = await Promise.all(pictures.map(upload))
  clearInterval(watch)
  expect(answers.map(({ StatusCode }) => StatusCode)).toEqual(pictures.map(() => 200))
  // 640 MB before, and none of it was given back.
  expect((most - before) / mb).toBeLessThan(400)
  // Memory of buffers is freed when they are collected.
  await expect.poll(() => (own.resident() - before) / mb).toBeLessThan(200)
})

test('one that is unpacked as a whole has 16 million pixels, any other 50', async () => {
  expect(await upload(await progressive(6000, 4000, 1))).toMatchObject({ Details: { Fault: 'pictureUnreadable' } })
  const plain = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer()
  expect(await upload(plain)).toMatchObject({ StatusCode: 200 })
})
