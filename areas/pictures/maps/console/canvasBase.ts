import type { Ground, OpenBase } from './base.ts'
import { readLand } from './land.ts'
import { openLayerPainter } from './layerPainter.ts'
import { type Camera, project, type Size, scaleOf } from './mercator.ts'
import { openTilePainter } from './tilePainter.ts'

const outline = async () => {
  const path = new Path2D()
  for (const { geometry } of (await readLand()).features)
    for (const ring of geometry.coordinates.flat()) {
      for (const [i, [longitude, latitude]] of ring.entries()) {
        const { x, y } = project(longitude!, latitude!)
        if (i) path.lineTo(x, y)
        else path.moveTo(x, y)
      }
      path.closePath()
    }
  return path
}

export const openCanvas: OpenBase = async (into, first, tiles) => {
  const path = await outline()
  const canvas = document.createElement('canvas')
  canvas.className = 'map-canvas'
  into.append(canvas)
  const pen = canvas.getContext('2d')
  let ground: Ground = first
  let seen: { camera: Camera; size: Size } | undefined
  const painter = pen && tiles && openTilePainter(pen, tiles, () => draw())
  const own = pen ? openLayerPainter(pen, () => draw()) : undefined
  const draw = () => {
    if (!pen || !seen) return
    const { camera, size } = seen
    const dots = devicePixelRatio
    const [width, height] = [Math.round(size.width * dots), Math.round(size.height * dots)]
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    const scale = scaleOf(camera.zoom) * dots
    pen.resetTransform()
    pen.fillStyle = ground.water
    pen.fillRect(0, 0, width, height)
    pen.fillStyle = ground.land
    const [left, top] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale]
    // The world repeats: draws as many copies as the screen shows.
    for (let copy = Math.floor(-left / scale); left + copy * scale < width; copy++) {
      pen.setTransform(scale, 0, 0, scale, left + copy * scale, top)
      pen.fill(path, 'evenodd')
    }
    pen.resetTransform()
    painter?.draw({ camera, width, height, scale, dots })
    for (let copy = Math.floor(-left / scale); left + copy * scale < width; copy++)
      own?.draw({ left: left + copy * scale, top, scale, dots, colour: ground.border })
  }
  return {
    kind: 'canvas',
    show: (camera, size) => {
      seen = { camera, size }
      draw()
    },
    paint: (next) => {
      ground = next
      draw()
    },
    lay: (layers) => own?.lay(layers),
    close: () => {
      painter?.close()
      canvas.remove()
    },
  }
}
