// Exports a screen: an SVG file, a PNG image, or a printed page. Loaded on first use.
import './print.css'
import { saveFile } from '../../../../../console/session/request.ts'
import { mix } from '../../../../../console/theme/contrast.ts'
import { type Colours, colours } from '../../../../../console/theme/tokens.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import { language } from '../../../../../console/words/words.ts'
import { svgText } from '../../../../../contract/picture/tree.ts'
import { type Seen, svgOf } from '../../svgFile.ts'
import { build } from '../engine/dom.ts'

export type Named = { name: string; company: string }

const asData = (blob: Blob) =>
  new Promise<string>((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.onerror = () => fail(reader.error)
    reader.readAsDataURL(blob)
  })
/** The content of its images; those that fail to load are omitted. */
const imagesOf = async ({ scene }: Seen) => {
  const addresses = new Set(scene.items.flatMap((item) => (item.kind === 'image' ? [item.file.replace(/^\/?(api\/)?/, '/api/')] : [])))
  const found = await Promise.all(
    [...addresses].map(async (address): Promise<(readonly [string, string])[]> => {
      const answer = await fetch(address).catch(() => undefined)
      const blob = answer?.ok ? await answer.blob() : undefined
      return blob?.type.startsWith('image/') ? [[address, await asData(blob)]] : []
    }),
  )
  return new Map(found.flat())
}

const painted = async (seen: Seen, { name, company }: Named, of: Colours) =>
  svgOf(seen, {
    colours: { ...of, fluid: mix(of.action, of.surface, 0.3) },
    language: language(),
    images: await imagesOf(seen),
    stamp: [name, timeText(seen.at), company].join(' · '),
  })

const fileName = ({ name }: Named, { at }: Seen, kind: string) =>
  `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${timeText(at).replaceAll(/[ :]/g, '-')}.${kind}`

/** The whole picture on white, regardless of pan and zoom. */
export const saveSvg = async (seen: Seen, named: Named) => {
  const whole: Seen = { ...seen, viewBox: [0, 0, seen.scene.width, seen.scene.height] }
  const text = svgText(await painted(whole, named, colours.light))
  saveFile(new Blob([text], { type: 'image/svg+xml' }), fileName(named, seen, 'svg'))
}

/** Longer side of an image, pixels. */
const longest = 3840
/** Saves the visible part, as on screen. */
export const savePng = async (seen: Seen, named: Named, of: Colours) => {
  const tree = await painted(seen, named, of)
  const [w, h] = [Number(tree.attributes.width), Number(tree.attributes.height)]
  const scale = longest / Math.max(w, h)
  const canvas = Object.assign(document.createElement('canvas'), { width: Math.round(w * scale), height: Math.round(h * scale) })
  const sized = { ...tree, attributes: { ...tree.attributes, width: canvas.width, height: canvas.height } }
  const address = URL.createObjectURL(new Blob([svgText(sized)], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done))
    if (blob) saveFile(blob, fileName(named, seen, 'png'))
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Prints the visible part on a separate page. */
export const printPicture = async (seen: Seen, named: Named) => {
  const sheet = document.createElement('div')
  sheet.className = 'picture-sheet'
  const tree = await painted(seen, named, colours.light)
  const { width: _, height: __, ...attributes } = tree.attributes
  sheet.append(build({ ...tree, attributes }))
  document.body.append(sheet)
  document.body.classList.add('picture-prints')
  const end = () => {
    document.body.classList.remove('picture-prints')
    sheet.remove()
  }
  addEventListener('afterprint', end, { once: true })
  print()
}
