import { App, Button, ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePhone } from '../../console/theme/useWidth.ts'

/** Several drawers and dialogs are open on one page, so none of them may hold the focus. */
const loose = { focusable: { trap: false, autoFocus: false } as never }

/** Until what opened has taken the focus. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 150))

type StageProps = {
  height: number
  /** Uses the part until it shows what it should. */
  play?: (stage: HTMLElement) => Promise<void>
  children: (close: () => void) => ReactNode
}

/** A window of its own for parts that lie over the screen: drawers, dialogs and questions. */
export const Stage = ({ height, play, children }: StageProps) => {
  const phone = usePhone()
  const stage = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [isOpen, setOpen] = useState(true)
  const [isReady, setReady] = useState(false)
  const first = useRef(play)
  useEffect(() => {
    if (!isOpen || round < 0) return
    let current = true
    // A form scrolls to its first error; the page stays where it is.
    const top = scrollY
    const played = Promise.resolve(first.current?.(stage.current!))
    void played.then(pause).then(() => {
      if (document.activeElement instanceof HTMLElement && stage.current?.contains(document.activeElement)) document.activeElement.blur()
      scrollTo(0, top)
      if (current) setReady(true)
    })
    return () => {
      current = false
    }
  }, [isOpen, round])
  const open = () => {
    setReady(false)
    setRound(round + 1)
    setOpen(true)
  }
  return (
    // What focuses itself when it opens would scroll the page there.
    <div className="kit-stage" ref={stage} style={{ height: phone ? Math.max(height, 760) : height }} inert={!isReady} data-ready={isReady}>
      <ConfigProvider
        drawer={loose}
        modal={loose}
        getPopupContainer={(trigger) => (trigger && trigger !== document.body ? document.body : stage.current!)}
      >
        <App component={false}>{isOpen ? children(() => setOpen(false)) : <Button onClick={open}>Open again</Button>}</App>
      </ConfigProvider>
    </div>
  )
}

export type Specimen = { id: string; title: string; says: string; show: () => ReactNode }

export const Section = ({ id, title, says, show }: Specimen) => (
  <section className="kit-section" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <p className="soft" lang="en">
      {says}
    </p>
    <div className="kit-part">{show()}</div>
  </section>
)
