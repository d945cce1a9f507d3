import { useState } from 'react'

// The specification keeps it in a cookie, 1 open and 0 closed (section 4).
const name = 'sidebarStatus'
export const sidebarOpen = (cookies: string) => !cookies.split('; ').includes(`${name}=0`)
export const sidebarCookie = (open: boolean) => `${name}=${open ? 1 : 0}; path=/; max-age=31536000; samesite=lax`

export const useSidebar = () => {
  const [open, setOpen] = useState(() => sidebarOpen(document.cookie))
  const set = (next: boolean) => {
    document.cookie = sidebarCookie(next)
    setOpen(next)
  }
  return [open, set] as const
}
