// Detects the type of a file by its content; the sender's declaration is not trusted (security.md S28).

import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { type FilePurpose, filePurposes, kindsOf, pictureKinds, textKinds } from '../../../../contract/files.ts'
import { withoutPrototype } from '../../../../contract/prototypes.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'

/** More pixels than this are a decompression bomb, not a photo. A picture that is unpacked as a whole takes up to eight bytes per pixel. */
const [mostPixels, mostWhole] = [50_000_000, 16_000_000]
/** The cache would keep hundreds of megabytes for a picture of 900 KB. */
sharp.cache(false)
/** A large picture takes a second and 300 MB. */
const inTurn = boundedQueue({ concurrency: 1, backlog: 64, maxWaitMs: 30_000 })
const kindOf = (name: string) =>
  /\.([A-Za-z0-9]{1,5})$/
    .exec(name)?.[1]
    ?.toLowerCase()
    .replace(/^jpeg$/, 'jpg') ?? ''

export type Content = { bytes: Buffer; kind: string; type: string; width: number | null; height: number | null }

const readable = withoutPrototype({ limitInputPixels: mostPixels, failOn: 'error' as const })
/** Non-interlaced JPEG and PNG are read in pieces. */
const assertFits = async (given: Buffer) => {
  const { format, isProgressive, width, height } = await sharp(given, readable).metadata()
  const isRead = (format === 'jpeg' || format === 'png') && !isProgressive
  if (!isRead && width * height > mostWhole) throw new Fault('pictureUnreadable')
}

const picture = async (given: Buffer, { side, how }: { side: number; how: 'fit' | 'cover' }): Promise<Content> => {
  try {
    await assertFits(given)
    // Rotated first, because the orientation is stripped with location and camera.
    const { data, info } = await sharp(given, readable)
      .rotate()
      .resize({ width: side, height: side, fit: how === 'fit' ? 'inside' : 'cover', withoutEnlargement: how === 'fit' })
      .webp({ quality: 85 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, kind: 'webp', type: 'image/webp', width: info.width, height: info.height }
  } catch {
    throw new Fault('pictureUnreadable')
  }
}

const isText = (given: Buffer) => {
  if (given.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(given)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the content to store for a purpose, with its detected kind. Refuses a name with a different kind, and kinds that the purpose does
 * not allow. Tenants take turns.
 */
export const judged = async (purpose: FilePurpose, name: string, given: Buffer, tenant: number): Promise<Content> => {
  if (given.length === 0) throw new Fault('fileEmpty')
  const said = kindOf(name)
  const found = await fileTypeFromBuffer(given)
  const { picture: wanted } = filePurposes[purpose]
  if (wanted) {
    if (!found || !pictureKinds.includes(found.ext)) throw new Fault('fileKind', { kinds: pictureKinds.join(', ') })
    return inTurn(() => picture(given, wanted), { key: tenant })
  }
  const allowed = kindsOf(purpose)
  const kind = found ? found.ext : textKinds.includes(said) && isText(given) ? said : ''
  if (kind !== said || !allowed.includes(kind)) throw new Fault('fileKind', { kinds: allowed.join(', ') })
  return { bytes: given, kind, type: found?.mime ?? 'text/plain; charset=utf-8', width: null, height: null }
}
