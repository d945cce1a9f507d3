// Files in an S3 bucket: backed up, lost and damaged there, and put back, without reading those that are as they were.
import { rmSync } from 'node:fs'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BackupFile, BackupJob } from '../areas/system/backup/contract.ts'
import { openS3 } from '../server/files/s3.ts'
import type { FileStore } from '../server/files/store.ts'
import { type House, startHouse, temporary, until } from './house.ts'

const directory = temporary()
/** What the bucket was asked, in order. */
const asked: string[] = []
let server: S3rver
let bucket: FileStore
let house: House
beforeAll(async () => {
  server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'penstock', configs: [] }] })
  server.middleware.unshift(({ method, path }, next) => {
    asked.push(`${method} ${path.replace('/penstock/below/', '')}`)
    return next()
  })
  const address = `http://S3RVER:S3RVER@127.0.0.1:${(await server.run()).port}/penstock/below`
  bucket = openS3(address)
  house = await startHouse({ S3_URL: address })
})
afterAll(async () => {
  await house?.close()
  await server?.close()
  rmSync(directory, { recursive: true, force: true })
})

const authorization = () => ({ authorization: `Bearer ${house.admin}` })
const upload = async (name: string, text: string) => {
  const body = new FormData()
  body.append('file', new Blob([text]), name)
  const answer = await fetch(`${house.origin}/api/System/File/Upload`, { method: 'POST', body, headers: authorization() })
  return ((await answer.json()) as { Data: { FilePath: string } }).Data.FilePath
}
const read = async (path: string) => (await fetch(`${house.origin}/api/${path}`, { headers: authorization() })).text()
const ended = (what: 'Backup' | 'Restore') =>
  until(`the ${what} to end`, async () => {
    const job = await house.data<BackupJob>('GET', `/System/${what}/ResourceStatus`)
    if (job.Status === 3) throw new Error(JSON.stringify(job))
    return job.Status === 2 ? job : undefined
  })

it('files of a bucket are backed up and put back, missing and damaged ones; later ones stay, and nothing that is as it was is read', async () => {
  const paths = await Promise.all(['first', 'second', 'third', 'fourth'].map((text) => upload(`${text}.txt`, text)))
  const keys = paths.map((path) => path.replace('files/', ''))
  await house.data('POST', '/System/Backup/Resource', {})
  const { FileName } = await ended('Backup')
  const [made] = await house.data<BackupFile[]>('GET', '/System/Backup/ResourceFiles')
  expect(made).toMatchObject({ FileName, Files: 4, Size: 'firstsecondthirdfourth'.length })

  const later = await upload('later.txt', 'later')
  await bucket.remove(keys[0]!)
  await bucket.put(keys[1]!, Buffer.from('sec0nd'), 'text/plain')
  await bucket.put(keys[2]!, Buffer.from('third and more'), 'text/plain')
  expect((await read(paths[0]!)).startsWith('{')).toBe(true)
  expect(await read(paths[1]!)).toBe('sec0nd')

  asked.length = 0
  await house.data('POST', '/System/Restore/Resource', { FileName, Confirm: FileName })
  await ended('Restore')
  expect(asked.filter((line) => line.startsWith('GET') && line.includes('.txt'))).toEqual([])
  expect(asked.filter((line) => line.startsWith('PUT')).sort()).toEqual(
    keys
      .slice(0, 3)
      .map((key) => `PUT ${key}`)
      .sort(),
  )
  expect(await Promise.all([...paths, later].map(read))).toEqual(['first', 'second', 'third', 'fourth', 'later'])
})
