#include "board/firmware/console.h"

#include "board/firmware/cpu.h"
#include "board/firmware/libc/assert.h"

enum { BITS_PER_SECOND = 115200 };
enum { CAN_SEND = 1, RECEIVED = 2, SENT = 4 };
enum { INTERRUPT_RECEIVED = 1 };

static void receive(void *user)
{
    struct board_console *console = user;
    if ((board_read(BOARD_CSR_uart_status) & RECEIVED) == 0) {
        return;
    }
    const uint8_t byte = (uint8_t)board_read(BOARD_CSR_uart_data);
    board_write(BOARD_CSR_uart_status, RECEIVED);
    const uint32_t written = console->written;
    if (written - console->read >= BOARD_CONSOLE_ROOM) {
        console->dropped++;
        return;
    }
    console->bytes[written % BOARD_CONSOLE_ROOM] = byte;
    console->written = written + 1;
}

void board_console_begin(struct board_console *console, struct board_interrupt_handlers *handlers)
{
    console->written = 0;
    console->read = 0;
    console->dropped = 0;
    board_write(BOARD_CSR_uart_divisor,
                board_read(BOARD_CSR_system_frequency) / (16 * BITS_PER_SECOND));
    board_write(BOARD_CSR_uart_status, RECEIVED | SENT);
    board_interrupt_handle(handlers, BOARD_INTERRUPT_uart, receive, console);
    board_write(BOARD_CSR_uart_control, INTERRUPT_RECEIVED);
}

int board_console_read(struct board_console *console)
{
    const uint32_t read = console->read;
    if (read == console->written) {
        return -1;
    }
    const uint8_t byte = console->bytes[read % BOARD_CONSOLE_ROOM];
    console->read = read + 1;
    return byte;
}

static void send(uint8_t byte)
{
    while ((board_read(BOARD_CSR_uart_status) & CAN_SEND) == 0) {
    }
    board_write(BOARD_CSR_uart_data, byte);
}

void board_print(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            send('\r');
        }
        send((uint8_t)*text);
    }
}

void board_print_number(uint32_t number)
{
    char digits[11];
    unsigned at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    board_print(digits + at);
}

void board_print_hex(uint32_t number)
{
    for (unsigned shift = 32; shift > 0; shift -= 4) {
        send((uint8_t) "0123456789abcdef"[number >> (shift - 4) & 15]);
    }
}

_Noreturn void board_assert_failed(const char *file, int line, const char *condition)
{
    board_print("\nfroth: stopped: ");
    board_print(file);
    board_print(":");
    board_print_number((uint32_t)line);
    board_print(": not ");
    board_print(condition);
    board_print("\n");
    board_exit(1);
}
