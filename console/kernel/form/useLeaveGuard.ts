import { App, type ModalFuncProps } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useBeforeUnload, useNavigate } from 'react-router'
import { useWords } from '../../words/words.ts'

type Guard = {
  isDirty: () => boolean
  /** Closes the guarded form. */
  close: () => void
  /** Asks whether to discard the entries, in other words than those of forms. */
  question?: ModalFuncProps
}

/**
 * Asks before unsaved entries are lost: when the page closes, and before any navigation (links, back button, command palette).
 * The browser's Navigation API reports navigations before they happen; browsers without it ask only when the page closes.
 * Navigation to the login always passes, because an expired session must end. Answers what a Cancel button does.
 */
export const useLeaveGuard = ({ isDirty, close, question }: Guard) => {
  const t = useWords()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  const ask = async (): Promise<boolean> =>
    await modal.confirm(
      question ?? { title: t('form.leave'), content: t('form.leaveLost'), okText: t('form.discard'), cancelText: t('form.stay') },
    )
  useBeforeUnload((event) => isDirty() && event.preventDefault())

  const onNavigate = useEffectEvent((event: NavigateEvent) => {
    const { url, key, sameDocument } = event.destination
    const to = new URL(url)
    const isSamePlace = to.pathname === location.pathname && (event.navigationType === 'replace' || to.search === location.search)
    if (!event.cancelable || !sameDocument || isSamePlace || to.pathname === '/login' || isLeaving.current || !isDirty()) return
    event.preventDefault()
    void ask().then((agreed) => {
      if (!agreed) return
      isLeaving.current = true
      close()
      if (event.navigationType === 'traverse') window.navigation.traverseTo(key)
      else navigate(to.pathname + to.search + to.hash, { replace: event.navigationType === 'replace' })
    })
  })
  useEffect(() => {
    if (!('navigation' in window)) return
    const listener = (event: NavigateEvent) => onNavigate(event)
    window.navigation.addEventListener('navigate', listener)
    return () => window.navigation.removeEventListener('navigate', listener)
  }, [])
  return async () => {
    if (!isDirty() || (await ask())) close()
  }
}
