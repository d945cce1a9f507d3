import { saveFile } from '../../../../../console/session/request.ts'

type Frame = { title: string; ground: string; text: string; font: string }
const head = 34

/** A drawing as a picture, with its title above it. */
export const saveDrawing = (svg: SVGSVGElement, { title, ground, text, font }: Frame, file: string) => {
  const ratio = Math.max(2, devicePixelRatio)
  const { width, height } = svg.viewBox.baseVal
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', `${width * ratio}`)
  copy.setAttribute('height', `${height * ratio}`)
  const picture = new Image()
  picture.onload = () => {
    const canvas = document.createElement('canvas')
    canvas.width = width * ratio
    canvas.height = (height + head) * ratio
    const ctx = canvas.getContext('2d')!
    ctx.fillStyle = ground
    ctx.fillRect(0, 0, canvas.width, canvas.height)
    ctx.fillStyle = text
    ctx.font = `${13 * ratio}px ${font}`
    ctx.fillText(title, 12 * ratio, 22 * ratio)
    ctx.drawImage(picture, 0, head * ratio)
    canvas.toBlob((blob) => blob && saveFile(blob, file))
  }
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
}
