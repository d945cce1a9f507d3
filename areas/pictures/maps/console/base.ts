// What lies under the marks: land, and tiles of a map server where there is one. Drawn with WebGL, or on a canvas where there is none.
import type { Camera, Size } from './mercator.ts'
import type { Tiles } from './tiles.ts'

export type Ground = { water: string; land: string; border: string }
/** Lines, or an image with its corners from top left, clockwise. */
export type Laid = { id: number; lines: number[][][] | null; image: { url: string; corners: number[][] } | null }
export type Base = {
  kind: 'gl' | 'canvas'
  show: (camera: Camera, size: Size) => void
  paint: (ground: Ground) => void
  /** What the company put on the land, the first lowest; positions as the map server shows them. */
  lay: (layers: readonly Laid[]) => void
  close: () => void
}
export type OpenBase = (into: HTMLElement, ground: Ground, tiles: Tiles | undefined) => Promise<Base>

const byProcessor = /swiftshader|llvmpipe|softpipe|software|basic render/i
/** Whether WebGL is hardware-accelerated. With software rendering, a 2D canvas is four times as fast. */
export const hasWebGl = (): boolean => {
  try {
    const gl = document.createElement('canvas').getContext('webgl2')
    if (!gl) return false
    const names = gl.getExtension('WEBGL_debug_renderer_info')
    const card = String(gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER))
    gl.getExtension('WEBGL_lose_context')?.loseContext()
    return !byProcessor.test(card)
  } catch {
    return false
  }
}

export const openBase: OpenBase = async (into, ground, tiles) => {
  if (hasWebGl()) {
    try {
      return await (await import('./glBase.ts')).openGl(into, ground, tiles)
    } catch {
      into.replaceChildren()
    }
  }
  return (await import('./canvasBase.ts')).openCanvas(into, ground, tiles)
}
