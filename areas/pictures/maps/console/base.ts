// What lies under the marks: land. Drawn with WebGL, or on a canvas where there is none.
import type { Camera, Size } from './mercator.ts'

export type Ground = { water: string; land: string }
export type Base = {
  kind: 'gl' | 'canvas'
  show: (camera: Camera, size: Size) => void
  paint: (ground: Ground) => void
  close: () => void
}
export type OpenBase = (into: HTMLElement, ground: Ground) => Promise<Base>

export const hasWebGl = (): boolean => {
  try {
    const gl = document.createElement('canvas').getContext('webgl2')
    gl?.getExtension('WEBGL_lose_context')?.loseContext()
    return !!gl
  } catch {
    return false
  }
}

export const openBase: OpenBase = async (into, ground) => {
  if (hasWebGl()) {
    try {
      return await (await import('./glBase.ts')).openGl(into, ground)
    } catch {
      into.replaceChildren()
    }
  }
  return (await import('./canvasBase.ts')).openCanvas(into, ground)
}
