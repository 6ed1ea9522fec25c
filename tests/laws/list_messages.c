// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints the name of every message of the Laws, one a line: the keys of the catalogues.
#include <stdio.h>

#include <jadoube/laws.h>

int main(void) {
    char name[LAWS_MESSAGE_NAME_SIZE];
    for (uint16_t message = 1; message < LAWS_MESSAGE_END; message++)
        if (laws_message_name(message, name) > 0)
            puts(name);
    for (int incident = 1; incident < LAWS_INCIDENT_COUNT; incident++)
        printf("incident.%s\n", laws_incident_name((LawsIncident)incident));
    for (int stop = LAWS_STOP_BY_PLAYER; stop <= LAWS_STOP_VERDICT; stop++)
        printf("stop.%s\n", laws_stop_name((LawsStop)stop));
    return 0;
}
