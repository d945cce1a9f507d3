// Archives of backups as somebody outside changes them: unpacked, bent, packed again.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import type { Manifest, SignedManifest } from '../areas/system/backup/server/archive/manifest.ts'
import type { FrontDoor } from './front-door.ts'

export type Members = Map<string, Buffer>
export const membersOf = async (archive: Buffer): Promise<Members> => {
  const members: Members = new Map()
  const tar = extract()
  const reading = pipeline(Readable.from([archive]), tar as unknown as NodeJS.WritableStream)
  for await (const entry of tar)
    members.set(entry.header.name, Buffer.concat(await Array.fromAsync(entry as unknown as AsyncIterable<Buffer>)))
  await reading
  return members
}
export const packed = async (members: Members): Promise<Buffer> => {
  const tar = pack()
  for (const [name, content] of members) tar.entry({ name, mode: 0o600 }, content)
  tar.finalize()
  return Buffer.concat(await Array.fromAsync(tar as unknown as AsyncIterable<Buffer>))
}

export const manifestOf = (members: Members) => JSON.parse(members.get('manifest.json')!.toString()) as SignedManifest
/** As the version before sealed: a hash that anybody can make. */
export const plainSeal = ({ Sha256: _, Seal: __, SealKey: ___, ...manifest }: SignedManifest): SignedManifest => ({
  ...(manifest as Manifest),
  Sha256: createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
})
/** The archive with another manifest and other members. */
export const bent = async (archive: Buffer, change: (manifest: SignedManifest, members: Members) => SignedManifest): Promise<Buffer> => {
  const members = await membersOf(archive)
  const manifest = change(manifestOf(members), members)
  members.delete('manifest.json')
  return packed(new Map([['manifest.json', Buffer.from(JSON.stringify(manifest))], ...members]))
}

export const download = async (door: FrontDoor, FileName: string): Promise<Buffer> => {
  const { Url } = await door.data<{ Url: string }>('POST', '/System/Backup/Ticket', { FileName })
  return Buffer.from(await (await fetch(door.origin + Url)).arrayBuffer())
}
/** Sends an archive as a console does. */
export const upload = async (door: FrontDoor, archive: Buffer, Kind: 'DB' | 'Resource', Passphrase?: string) => {
  const { Ticket } = await door.data<{ Ticket: string }>('POST', '/System/Backup/Bring', { Kind, Size: archive.length })
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(archive)]), 'part')
  await fetch(`${door.origin}/api/System/Backup/BringPart?${new URLSearchParams({ Ticket, Offset: '0' })}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${door.admin}` },
  })
  return {
    Ticket,
    answer: await door.call(door.admin, 'POST', '/System/Backup/Brought', { Ticket, ...(Passphrase ? { Passphrase } : {}) }),
  }
}
