import { useState } from 'react'

// The specification keeps it in a cookie, 1 open and 0 closed (section 4).
const name = 'sidebarStatus'
const stored = () => !document.cookie.split('; ').includes(`${name}=0`)

export const useSidebar = () => {
  const [open, setOpen] = useState(stored)
  const set = (next: boolean) => {
    document.cookie = `${name}=${next ? 1 : 0}; path=/; max-age=31536000; samesite=lax`
    setOpen(next)
  }
  return [open, set] as const
}
