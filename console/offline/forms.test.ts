// Every form of the queue that was ever released, as a phone may still hold it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isBuilt } from './built.ts'
import { isLocal, localPath, photosOf, queueVersion, readEntry, withPaths } from './forms.ts'

const golden = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8'))

it.each(Array.from({ length: queueVersion }, (_, i) => i + 1))('reads the queue of version %i', (version) => {
  const { queued, read } = golden(`v${version}`)
  expect(queued.every((entry: { v: number }) => entry.v === version)).toBe(true)
  expect(queued.map(readEntry)).toEqual(read)
  // What has been read is stored again in the present version.
  expect(read.map(readEntry)).toEqual(read)
})

it('leaves alone what a newer version has queued, and what is no entry', () => {
  const [entry] = golden('v1').queued
  for (const raw of [
    { ...entry, v: queueVersion + 1 },
    { ...entry, v: 0 },
    { ...entry, v: '1' },
    null,
    7,
    [],
    {},
    { ...entry, body: 'x' },
    { ...entry, seq: 'x' },
  ])
    expect(readEntry(raw)).toBeUndefined()
})

it('finds photos of this phone at any depth, and puts their stored paths in their place', () => {
  const body = {
    ...{ OrderId: 3, Desc: 'local:no path', Files: [{ FilePath: localPath('a'), FileName: 'a.jpg' }] },
    Results: [
      {
        Item: 0,
        Photos: [
          { FilePath: localPath('b'), FileName: 'b.jpg' },
          { FilePath: 'files/1/c.jpg', FileName: 'c.jpg' },
        ],
      },
    ],
  }
  expect(photosOf(body)).toEqual(['a', 'b'])
  const sent = withPaths(
    body,
    new Map([
      ['a', 'files/1/a.jpg'],
      ['b', 'files/1/b.jpg'],
    ]),
  )
  expect(photosOf(sent)).toEqual([])
  expect(sent).toMatchObject({
    Desc: 'local:no path',
    Results: [{ Photos: [{ FilePath: 'files/1/b.jpg' }, { FilePath: 'files/1/c.jpg' }] }],
  })
  expect(isLocal(sent.Files[0]!.FilePath)).toBe(false)
})

it('keeps as a file of the build only what is of its kind', () => {
  const answer = (type: string, ok = true) => ({ ok, headers: new Headers({ 'content-type': type }) })
  const portal = answer('text/html; charset=utf-8')
  for (const [path, type] of [
    ['/assets/a.js', 'text/javascript; charset=utf-8'],
    ['/assets/a.css', 'text/css'],
    ['/console.html', 'text/html'],
    ['/assets/a.woff2', 'font/woff2'],
  ] as const) {
    expect(isBuilt(path, answer(type)), path).toBe(true)
    expect(isBuilt(path, answer(type, false)), path).toBe(false)
    if (!path.endsWith('html')) expect(isBuilt(path, portal), path).toBe(false)
  }
})
