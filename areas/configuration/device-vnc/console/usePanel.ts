import type RFB from '@novnc/novnc'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Fault, invoke } from '../../../../console/session/request.ts'
import { deviceVncCalls, panelSocketPath, type ViewerMessage, type ViewerRequest } from '../contract.ts'

export type PanelState = Extract<ViewerMessage, { Viewers: unknown }>
export type PanelEnded = Extract<ViewerMessage, { Ended: unknown }>

const socketUrl = (ticket: string) => {
  const url = new URL(panelSocketPath, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('ticket', ticket)
  return url
}

/**
 * Connects noVNC in `target` to a panel. `attempt` connects again when it changes. Text messages of the socket are the server's,
 * binary ones the panel's.
 */
export const usePanel = (id: number, target: RefObject<HTMLElement | null>, attempt: number) => {
  const [state, setState] = useState<PanelState>()
  const [ended, setEnded] = useState<PanelEnded>()
  const [fault, setFault] = useState<Fault>()
  const rfb = useRef<RFB>(undefined)
  const socket = useRef<WebSocket>(undefined)

  useEffect(() => {
    let isGone = false
    for (const reset of [setState, setEnded, setFault]) reset(undefined)
    const listen = (opened: WebSocket) => {
      opened.addEventListener('message', (event) => {
        if (typeof event.data !== 'string') return
        // noVNC must get only the panel's bytes.
        event.stopImmediatePropagation()
        const message = JSON.parse(event.data) as ViewerMessage
        if ('Ended' in message) return setEnded(message)
        setState(message)
        if (rfb.current) rfb.current.viewOnly = !message.Controls
      })
      opened.addEventListener('close', () => {
        if (!isGone) setEnded((known) => known ?? { Ended: 'left' })
      })
    }
    const connect = async () => {
      const [{ default: Viewer }, { Ticket }] = await Promise.all([
        import('@novnc/novnc'),
        invoke(deviceVncCalls.open, { body: { Id: id } }),
      ])
      if (isGone || !target.current) return
      const opened = new WebSocket(socketUrl(Ticket))
      listen(opened)
      socket.current = opened
      const viewer = new Viewer(target.current, opened)
      viewer.viewOnly = true
      viewer.scaleViewport = true
      viewer.addEventListener('disconnect', () => {
        if (rfb.current === viewer) rfb.current = undefined
      })
      rfb.current = viewer
    }
    connect().catch((error) => {
      if (!isGone) setFault(error instanceof Fault ? error : new Fault(0, String(error)))
    })
    return () => {
      isGone = true
      rfb.current?.disconnect()
      rfb.current = undefined
    }
  }, [id, attempt])

  return {
    state: ended ? undefined : state,
    ended,
    fault,
    rfb,
    /** Takes or releases control. */
    control: (Control: boolean) => socket.current?.send(JSON.stringify({ Control } satisfies ViewerRequest)),
  }
}
