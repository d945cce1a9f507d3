import { Drawer, type DrawerProps } from 'antd'
import { usePhone } from '../theme/useWidth.ts'

/** A panel beside the screen: on the right, and at the bottom of a phone. */
export const SidePanel = ({ width, ...panel }: Omit<DrawerProps, 'placement' | 'size' | 'width'> & { width: number }) => {
  const phone = usePhone()
  return <Drawer open placement={phone ? 'bottom' : 'right'} size={phone ? '92%' : width} {...panel} />
}
