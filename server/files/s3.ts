import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { Fault } from '../http/faults.ts'
import type { FileStore, StoredFile } from './store.ts'

/** `https://key:secret@host[:port]/bucket[/prefix][?region=…]`, addressed by path, as every S3-compatible server takes it. */
export const openS3 = (address: string): FileStore => {
  const url = new URL(address)
  const [, bucket, ...rest] = url.pathname.split('/')
  if (!bucket || !url.username || !url.password) throw new Error('S3_URL must hold key, secret and bucket: https://key:secret@host/bucket.')
  const prefix = rest.filter(Boolean).map((part) => `${part}/`)
  const base = `${url.protocol}//${url.host}/${bucket}`
  const client = new AwsClient(
    withoutPrototype({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      service: 's3',
      region: url.searchParams.get('region') ?? 'us-east-1',
      retries: 2,
    }),
  )
  const ask = async (path: string, init: RequestInit = {}, missing = false): Promise<Response> => {
    const answer = await client.fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(60_000) }).catch(() => {
      throw new Fault('unavailable')
    })
    if (answer.ok || (missing && answer.status === 404)) return answer
    await answer.body?.cancel()
    throw new Fault('unavailable')
  }
  const at = (key: string) => `/${prefix.join('')}${key}`
  const text = (xml: string, tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, value]) => value!.replaceAll('&amp;', '&'))

  return {
    async put(key, content, type) {
      const answer = await ask(at(key), { method: 'PUT', body: new Uint8Array(content), headers: { 'content-type': type } })
      await answer.body?.cancel()
    },
    async get(key) {
      const answer = await ask(at(key), {}, true)
      if (answer.status !== 404 && answer.body) return Readable.fromWeb(answer.body as never)
      await answer.body?.cancel()
      return undefined
    },
    async remove(key) {
      const answer = await ask(at(key), { method: 'DELETE' }, true)
      await answer.body?.cancel()
    },
    async *list() {
      for (let token = '', more = true; more; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: prefix.join(''), ...(token ? { 'continuation-token': token } : {}) })
        const xml = await (await ask(`?${query}`)).text()
        const [keys, sizes, times] = [text(xml, 'Key'), text(xml, 'Size'), text(xml, 'LastModified')]
        // The entity tag of what was put in one piece is its MD5 (S3 API, Object); of another kind it equals none.
        const tags = text(xml, 'ETag').map((tag) => /^(?:"|&quot;)?([0-9a-f]{32})(?:"|&quot;)?$/.exec(tag)?.[1])
        for (const [i, key] of keys.entries())
          yield {
            key: key.slice(prefix.join('').length),
            size: Number(sizes[i]),
            time: Date.parse(times[i]!),
            md5: tags[i],
          } satisfies StoredFile
        token = text(xml, 'NextContinuationToken')[0] ?? ''
        more = token !== ''
      }
    },
  }
}
