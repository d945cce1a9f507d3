import { Button, Input } from 'antd'
import { type PointerEvent, useRef } from 'react'
import { localPath, photosOf } from '../../../../console/offline/forms.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Result } from '../contract.ts'
import { SheetPicture } from './SheetPicture.tsx'

const [width, height] = [640, 200]
const forget = async (photos: readonly Attachment[] | undefined) => {
  const store = await import('../../../../console/offline/store.ts')
  for (const key of photosOf(photos ?? [])) await store.removeRow('photos', key)
}
const keep = async (canvas: HTMLCanvasElement): Promise<Attachment> => {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  const { keepPhoto } = await import('../../../../console/offline/queue.ts')
  const FileName = 'signature.png'
  return { FilePath: localPath(await keepPhoto(blob!, FileName)), FileName }
}

type Found = Pick<Partial<Result>, 'Value' | 'Photos'>
type Props = { id: string; name: string; found: Found; set: (part: Found) => void }
/** A name and a signature drawn with a finger or the mouse. The name alone also signs, for keyboard users. */
export const Signature = ({ id, name, found, set }: Props) => {
  const t = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDrawing = useRef(false)
  /** Set while a stroke is being drawn: the upload of the previous stroke may still run. */
  const isBegun = useRef(false)
  const latest = useRef(found)
  latest.current = found
  const pen = () => canvas.current!.getContext('2d')!
  const at = ({ clientX, clientY }: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect()
    return [((clientX - box.left) / box.width) * width, ((clientY - box.top) / box.height) * height] as const
  }
  const begin = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    isDrawing.current = true
    const of = pen()
    if (!isBegun.current) {
      isBegun.current = true
      of.fillStyle = '#fff'
      of.fillRect(0, 0, width, height)
    }
    Object.assign(of, { strokeStyle: '#111', lineWidth: 4, lineCap: 'round', lineJoin: 'round' })
    of.beginPath()
    of.moveTo(...at(event))
  }
  const draw = (event: PointerEvent) => {
    if (!isDrawing.current) return
    pen().lineTo(...at(event))
    pen().stroke()
  }
  const end = async () => {
    if (!isDrawing.current) return
    isDrawing.current = false
    const photo = await keep(canvas.current!)
    const { Photos: before } = latest.current
    set({ Photos: [photo] })
    await forget(before)
  }
  const clear = () => {
    canvas.current?.getContext('2d')?.clearRect(0, 0, width, height)
    isBegun.current = false
    void forget(found.Photos)
    set({ Photos: [] })
  }
  const stored = found.Photos?.find(({ FilePath }) => !FilePath.startsWith('local:'))
  return (
    <div className="checklist-signature">
      <Input
        id={id}
        value={String(found.Value ?? '')}
        maxLength={60}
        autoComplete="name"
        placeholder={t('checklist.signer')}
        aria-label={`${name}: ${t('checklist.signer')}`}
        onChange={({ target }) => set({ Value: target.value || null })}
      />
      {stored ? (
        <SheetPicture file={stored} alt={t('checklist.signed', { name: String(found.Value ?? '') })} />
      ) : (
        <canvas
          ref={canvas}
          width={width}
          height={height}
          role="img"
          aria-label={t('checklist.draw')}
          onPointerDown={begin}
          onPointerMove={draw}
          onPointerUp={() => void end()}
          onPointerCancel={() => void end()}
        />
      )}
      <span className="soft">{t('checklist.draw')}</span>
      {!!found.Photos?.length && <Button onClick={clear}>{t('checklist.clear')}</Button>}
    </div>
  )
}
