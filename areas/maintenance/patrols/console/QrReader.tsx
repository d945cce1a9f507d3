import { CameraOutlined, PictureOutlined } from '@ant-design/icons'
import { Alert, Button, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'

/** Maximum picture size for decoding, px, and camera interval, ms. */
const [largest, everyMs] = [1024, 250]

/** Decodes a QR code in a picture. The decoder is plain JavaScript, loaded with the first picture. */
const decode = async (source: CanvasImageSource, width: number, height: number): Promise<string | undefined> => {
  const scale = Math.min(1, largest / Math.max(width, height, 1))
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || !canvas.width || !canvas.height) return
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const { default: jsqr } = await import('jsqr')
  return jsqr.default(data, canvas.width, canvas.height)?.data
}

const stop = (stream: MediaStream | undefined) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

const Camera = ({ found, failed }: { found: (code: string) => void; failed: () => void }) => {
  const video = useRef<HTMLVideoElement>(null)
  const told = useRef({ found, failed })
  told.current = { found, failed }
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async () => {
      const { current } = video
      const code = current?.videoWidth ? await decode(current, current.videoWidth, current.videoHeight) : undefined
      if (isOver) return
      if (code) return told.current.found(code)
      timer = setTimeout(() => void look(), everyMs)
    }
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isOver) return stop(stream)
      video.current!.srcObject = stream
      await video.current!.play()
      await look()
    }
    begin().catch(() => isOver || told.current.failed())
    return () => {
      isOver = true
      clearTimeout(timer)
      stop(stream)
    }
  }, [])
  return <video ref={video} className="patrol-camera" muted playsInline />
}

/** Reads a QR code with the camera, or from a selected picture: over plain http, browsers give no access to the camera. */
const QrReader = ({ found }: { found: (code: string) => void }) => {
  const t = useWords()
  const [isOpen, open] = useState(false)
  const [fault, setFault] = useState<'patrol.noCode' | 'patrol.noCamera'>()
  const hasCamera = typeof navigator.mediaDevices?.getUserMedia === 'function'
  const take = (code: string) => {
    open(false)
    setFault(undefined)
    found(code)
  }
  const read = async (file: File) => {
    const picture = await createImageBitmap(file).catch(() => undefined)
    const code = picture && (await decode(picture, picture.width, picture.height))
    picture?.close()
    if (code) take(code)
    else setFault('patrol.noCode')
  }
  return (
    <>
      <div className="button-row">
        {hasCamera && (
          <Button size="large" icon={<CameraOutlined />} onClick={() => open(!isOpen)}>
            {t(isOpen ? 'patrol.stopCamera' : 'patrol.camera')}
          </Button>
        )}
        <Upload
          accept="image/*"
          showUploadList={false}
          beforeUpload={(file) => {
            void read(file)
            return false
          }}
        >
          <Button size="large" icon={<PictureOutlined />}>
            {t('patrol.picture')}
          </Button>
        </Upload>
      </div>
      {isOpen && (
        <Camera
          found={take}
          failed={() => {
            open(false)
            setFault('patrol.noCamera')
          }}
        />
      )}
      {fault && <Alert type="warning" showIcon title={t(fault)} />}
    </>
  )
}
export default QrReader
