// Shrinks photos before upload: less data, no GPS position, and a format the server accepts.
const longest = 1600
const mostBytes = 200 * 1024
const qualities = [0.85, 0.7, 0.55, 0.4]

const jpegOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob>((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/jpeg', quality))

/** A JPEG of at most 1,600 px and 200 KB. Throws if the browser cannot decode the picture. */
export const shrinkPhoto = async (file: Blob): Promise<Blob> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const canvas = document.createElement('canvas')
  let side = Math.min(longest, Math.max(bitmap.width, bitmap.height))
  for (;;) {
    const scale = side / Math.max(bitmap.width, bitmap.height)
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const pen = canvas.getContext('2d')!
    // JPEG has no transparency: transparent areas would become black.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    for (const quality of qualities) {
      const blob = await jpegOf(canvas, quality)
      if (blob.size <= mostBytes || side < 200) return blob
    }
    side *= 0.75
  }
}
export const jpegName = (name: string) => `${name.replace(/\.\w+$/, '').slice(0, 100) || 'photo'}.jpg`
