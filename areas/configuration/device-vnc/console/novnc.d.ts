/** The part of noVNC 1.7 that the viewer uses. The published types describe an older layout of its files. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: WebSocket)
    viewOnly: boolean
    scaleViewport: boolean
    focus(): void
    blur(): void
    disconnect(): void
    sendKey(keysym: number, code: string, down?: boolean): void
    sendCtrlAltDel(): void
  }
}
